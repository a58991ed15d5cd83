"""[[models]] in a contest file: entrants with our command, caps that can be kept, and keys nowhere."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.model.errors import ContestError
from bourre_referee.model.language_model import Caps
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.run_writer import begin_run
from tests.referee.contests import bot

HEAD = '[contest]\nname = "x"\nseed = 1\n[table]\nseats = 2\ndeals = 1\n'
SERVER = 'base_url = "https://api.example.org/v1"\n'


def model(name: str = "mini", more: str = SERVER) -> str:
    return f'[[models]]\nname = "{name}"\nmodel = "m-1"\n{more}\n'


def loaded(folder: Path, text: str) -> Contest:
    (folder / "ada.py").touch()
    path = folder / "contest.toml"
    path.write_text(HEAD + text)
    return load(path)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(ContestError) as caught:
        loaded(folder, text)
    return re.sub(r"^.*?: ", "", str(caught.value))


def test_a_model_enters_once_for_each_repeat(tmp_path: Path) -> None:
    more = SERVER + 'key_variable = "KEY"\noptions = {temperature = 0.5, max_tokens = 9}\nrepeats = 2\n'
    more += "price_in = 1\nprice_out = 2.5\n"
    caps = "most_calls = 7\nmost_tokens = 100\nmost_cost = 0.5\n[model_caps]\nmost_calls = 9\n"
    contest = loaded(tmp_path, bot("ada") + model(more=more + caps))
    assert contest.names == ("ada", "mini.1", "mini.2")
    first, second = contest.entrants[1:]
    assert first.command == second.command
    assert first.command[:5] == ("python", "-m", "bourre_seats.models", "--model", "m-1")  # type: ignore[index]
    assert first.model
    assert first.model.caps == Caps(7, 100, 500_000)
    assert contest.model_caps == Caps(calls=9)
    assert first.model.cost_millionths(1_000_000, 2) == 1_000_005
    assert (first.network, first.environment) == (None, ())


def test_the_terms_have_model_server_options_and_the_digest_of_the_prompts(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/table.txt").write_text("$hand")
    own = model("own", SERVER + 'prompts = "mine"\noptions = {seed = 7}\n')
    terms = terms_of(loaded(tmp_path, model() + own))
    standard, mine = (each.model for each in terms.bots)
    assert standard
    assert mine
    assert (mine.base_url, mine.options, mine.model) == ("https://api.example.org/v1", {"seed": 7}, "m-1")
    assert standard.prompts != mine.prompts
    assert [file.path for file in terms.bots[1].files] == ["mine/table.txt"]


def test_a_run_does_not_continue_at_another_server(tmp_path: Path) -> None:
    contest = loaded(tmp_path, model("a") + model("b"))
    begun = begin_run("x", terms_of(contest), bytes(32), 1, datetime.now(UTC))
    moved = loaded(tmp_path, model("a", 'base_url = "https://other.example/v1"\n') + model("b"))
    [change] = changes(begun, "x", terms_of(moved))
    assert change == "bot a: base_url was 'https://api.example.org/v1', is 'https://other.example/v1'"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('base_url = "https://me:pw@h/v1"', "[[models]] mini: base_url has a user or a password"),
        ('base_url = "https://h/v1?key=1"', "base_url has the key 'key'"),
        (SERVER + 'options = {extra_headers = {Authorization = "x"}}', "options: extra_headers seems to be a key"),
        (SERVER + 'options = {user = "sk-0123456789abcdef0123"}', "options: user seems to be a key"),
        ('base_url = "ftp://h/v1"', 'base_url must be an address such as "https://api.example.org/v1"'),
        ('base_url = "http://h:x/v1"', "base_url must be an address such as"),
        ('base_url = "http://h/v1?version=2"', "base_url must be an address such as"),
        (SERVER + "options = {n = 3}", "options: n is set by bourre"),
        (SERVER + "most_tokens = 9", "a cap on tokens or cost needs a limit for answers"),
        (SERVER + "options = {max_tokens = 9}\nmost_cost = 9", "a cap on the cost needs prices"),
        (SERVER + "most_calls = 0", "most_calls = 0: must be 1 or more"),
        (SERVER + 'prompts = "nowhere"', "no file 'nowhere' here"),
        (SERVER + 'key_variable = "a b"', "key_variable must be the name of"),
        (SERVER + "repeat = 3", "Unknown key 'repeat'"),
        ('key_variable = "K"', "base_url is missing"),
        (SERVER + '[isolation]\nlevel = "container"\nimage = "i"', "a model in a container has no network"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_with_the_place(tmp_path: Path, written: str, said: str) -> None:
    text = refused(tmp_path, bot("ada") + model(more=written))
    assert said in text
    if "key" in said and "repeat" not in said:
        assert "key_variable" in text


def test_names_are_unique_over_bots_and_repeats(tmp_path: Path) -> None:
    text = refused(
        tmp_path, bot("ada") + bot("Mini.2").replace("Mini.2.py", "ada.py") + model(more=SERVER + "repeats = 2")
    )
    assert "[[models]] mini: another bot has the name 'mini.2'" in text
    assert "seats" not in text


def test_a_wrong_model_is_still_counted_as_entered(tmp_path: Path) -> None:
    assert "seats" not in refused(tmp_path, bot("ada") + model(more=SERVER + "repeat = 3"))
