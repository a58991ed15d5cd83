"""`bourre practice`: bots from files, their names, and what a bot's first mistake looks like."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.evaluation import start_trial
from bourre_referee.evaluation.start_trial import Findings
from bourre_referee.model.spec import Clock, RoomFailed
from tests.referee.command import Bourre, called
from tests.referee.in_process import rooms_in_process

CALM = "from bourre import Bot\nclass Calm(Bot):\n    pass\n"
STARTS = "from bourre import run\nif __name__ == '__main__':\n    run(Calm)\n"
Trial = Callable[[Findings], None]
CHEAT = """\
from bourre import Bot
class Cheat(Bot):
    def play(self, view):
        return view.hand[-1]
"""


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Trial:
    """Sets what a start of the bot's file shows: here nothing is started, which has tests of its own."""

    def show(findings: Findings) -> None:
        monkeypatch.setattr(start_trial, "try_file", lambda *words: findings)

    return show


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, trial: Trial) -> Bourre:
    """Runs the command in a folder with two bots and nothing else."""
    trial(Findings(Clock()))
    monkeypatch.chdir(tmp_path)
    Path("calm.py").write_text(CALM)
    Path("cheat.py").write_text(CHEAT)
    return called


def test_a_bot_meets_the_examples_by_name(bourre: Bourre) -> None:
    done = bourre("practice", "calm.py", "--against", "tight,random", "--deals", 20)
    assert (done.code, done.err) == (0, "")
    assert sorted(line.split()[0] for line in done.out.splitlines()[1:]) == ["calm", "random", "tight"]
    assert {line.split()[1] for line in done.out.splitlines()[1:]} == {"20"}


def test_the_same_seed_gives_the_same_table_and_another_seed_another(bourre: Bourre) -> None:
    words = ("practice", "calm.py", "--against", "lowest", "--deals", 30, "--seed")
    assert bourre(*words, 3).out == bourre(*words, 3).out
    assert bourre(*words, 3).out != bourre(*words, 4).out


def test_several_matches_count_together(bourre: Bourre) -> None:
    done = bourre("practice", "calm.py", "--against", "lowest", "--deals", 5, "--matches", 4)
    assert {line.split()[1] for line in done.out.splitlines()[1:]} == {"20"}


def test_a_bot_may_meet_itself_and_its_neighbours(bourre: Bourre) -> None:
    done = bourre("practice", "calm", "--against", "calm,./calm.py,calm.py:Calm", "--deals", 4)
    assert (done.code, done.err) == (0, "")
    names = {line[:7].strip() for line in done.out.splitlines()[1:]}
    assert names == {"calm", "calm 2", "calm 3", "Calm"}


def test_the_first_illegal_card_stops_it_and_is_explained(bourre: Bourre) -> None:
    done = bourre("practice", "cheat.py", "--against", "lowest", "--deals", 200)
    assert (done.code, done.out) == (1, "")
    heading, where, cards, cost, as_test, again, hint = done.err.splitlines()
    assert re.match(
        r"bourre: cheat: play returned \w\w, which breaks R\d\.\d, .+ \(match 1, deal \d+, seat 0, seed 7\)$", heading
    )
    assert where == "bourre:   where: cheat.py, line 4, where play returns"
    assert re.match(r"bourre:   hand .+, trump \w, .*legal .+$", cards)
    assert re.match(r"bourre:   in a contest: .+ chips", cost)
    assert as_test.startswith('bourre:   as a test: view("play hand=')
    assert again == (
        "bourre:   again: bourre practice cheat.py --against lowest --deals 200 --matches 1 --seed 7 --rules limit"
    )
    assert hint.startswith("hint: read `bourre rules limit`, or add --lenient to play on")


def test_a_bot_that_cannot_be_made_is_told_with_its_line(bourre: Bourre) -> None:
    Path("broken.py").write_text(CALM + "    def __init__(self):\n        self.seen = {}['none']\n")
    done = bourre("practice", "broken.py", "--deals", 5)
    assert (done.code, done.out) == (1, "")
    heading, where = done.err.splitlines()[:2]
    assert heading == "bourre: Calm cannot be made: KeyError: 'none'"
    assert where == "bourre:   where: broken.py, line 5"


ENDLESS = """\
import os, signal
from bourre import Bot
class Endless(Bot):
    def play(self, view):
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()
"""


def test_ctrl_c_says_what_the_bot_was_doing(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(ENDLESS + STARTS.replace("Calm", "Endless"))
    command = [sys.executable, "-m", "bourre_referee", "practice", "endless.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    interrupted, asked, where, cards = done.stderr.splitlines()[-4:]
    assert interrupted == "bourre: Interrupted. Nothing is kept."
    assert re.match(r"bourre: endless was asked to play \(match 1, deal \d+, seat 0, seed 7\)$", asked)
    assert re.match(r"bourre:   where: endless\.py, line [56]$", where)
    assert re.match(r"bourre:   hand .+, trump \w, .*legal .+$", cards)


def test_the_command_that_is_told_finds_the_same_again(bourre: Bourre) -> None:
    first = bourre("practice", "cheat.py", "--against", "lowest,./calm.py", "--rules", "nba", "--seed", 5).err
    again = next(line for line in first.splitlines() if "again: " in line).partition("again: bourre ")[2]
    assert bourre(*again.split()).err == first


def test_it_needs_the_extra_cli_alone(tmp_path: Path) -> None:
    """No library of the referee or its web pages is there; pydantic may be, for newer versions of Typer bring it."""
    (tmp_path / "calm.py").write_text(CALM + STARTS)
    missing = ["sqlmodel", "sqlalchemy", "trueskill", "fastapi", "jinja2", "uvicorn", "pyarrow"]
    program = (
        f"import sys\nsys.modules.update(dict.fromkeys({missing}))\n"
        "from bourre_referee.cli import main\nsys.argv = ['bourre', 'practice', 'calm.py', '--deals', '5']\nmain()"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "calm" in done.stdout


def test_a_bot_that_a_contest_could_not_start_ends_it_with_3_and_lenient_goes_on(bourre: Bourre, trial: Trial) -> None:
    trial(Findings(Clock(), "calm.py ended without a call of run; write run(Calm)"))
    done = bourre("practice", "calm.py", "--deals", 5)
    assert (done.code, done.out) == (3, "")
    told = "calm.py ended without a call of run; write run(Calm)"
    assert done.err == f"bourre: calm never started: {told}\nhint: add --lenient to play it here anyway\n"
    done = bourre("practice", "calm.py", "--deals", 5, "--lenient")
    assert (done.code, done.err) == (0, f"bourre: warning: {told}\n")


def test_warnings_of_the_start_are_told_and_errors_only_where_practice_found_none(bourre: Bourre, trial: Trial) -> None:
    trial(Findings(Clock(), warnings=("calm.py is slow",), errors=("calm.py gives no answer",)))
    done = bourre("practice", "calm.py", "--deals", 5)
    assert (done.code, done.err) == (0, "bourre: warning: calm.py is slow\nbourre: warning: calm.py gives no answer\n")
    done = bourre("practice", "cheat.py", "--against", "lowest", "--deals", 200)
    assert done.code == 1
    assert done.err.startswith("bourre: warning: calm.py is slow\nbourre: cheat: play returned")
    assert "no answer" not in done.err


def test_a_host_that_cannot_start_it_is_told_and_practice_goes_on(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*words: object) -> Findings:
        raise RoomFailed("no box")

    monkeypatch.setattr(start_trial, "try_file", fail)
    done = bourre("practice", "calm.py", "--deals", 5)
    told = "bourre: warning: calm was not started as in a contest: no box\n"
    assert (done.code, done.err) == (0, told)


def test_lenient_goes_on_and_counts(bourre: Bourre) -> None:
    done = bourre("practice", "cheat.py", "--against", "lowest", "--deals", 200, "--lenient")
    assert done.code == 0
    row = next(line for line in done.out.splitlines() if line.startswith("cheat")).split()
    assert int(row[6]) > 5
    told = done.err.splitlines()
    assert len(told) == 6
    assert all("which breaks R" in line for line in told[:5])
    assert told[5].endswith(" more mistakes")


def test_a_command_is_told_its_mistakes_in_the_same_words(bourre: Bourre) -> None:
    """Its log shows what it raised; the record shows the rest, whatever language the bot is written in."""
    with rooms_in_process():
        done = bourre("practice", "python calm.py", "--against", "lowest", "--deals", 200)
    told = [line.removeprefix("bourre: ") for line in done.err.splitlines()]
    starts = [number for number, line in enumerate(told) if not line.startswith("  ")]
    assert (done.code, starts) == (0, [0, 4, 5, 6, 7])
    assert re.match(r"(calm|lowest): .+ \(m\d+, deal \d+, seat \d, seed 7\)$", told[0])
    assert [line.split()[0] for line in told[1:4]] == ["hand", "in", "as"]
    assert all(re.match(r"(calm|lowest): .+; hand .+ \(m\d+, deal \d+, seat \d, seed 7\)$", line) for line in told[4:])


def test_a_command_that_never_starts_ends_it_with_3_and_lenient_goes_on(bourre: Bourre) -> None:
    words = ("practice", "python broken.py", "--against", "lowest", "--deals", 4)
    Path("broken.py").write_text("import no_such_package\n")
    done = bourre(*words)
    assert (done.code, done.out) == (3, "")
    why = "broken.py, line 1: ModuleNotFoundError: No module named 'no_such_package'"
    assert done.err.startswith(f"bourre: broken never started: {why}")
    assert done.err.endswith("\nhint: add --lenient to play it here anyway\n")
    done = bourre(*words, "--lenient")
    assert done.code == 0
    assert done.err.startswith(f"bourre: broken: never started: {why}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nobody.py"], "No file 'nobody.py'."),
        (["."], ". is a folder."),
        (["calm.py", "--against", "tight,"], "A bot's name is empty."),
        (["nobody"], "Unknown bot 'nobody'. Example bots: calm, champion, champion_1, cheat, "),
        (
            ["calm.py", "--against", "tihgt"],
            "Unknown bot 'tihgt'. Did you mean 'tight'? Example bots: calm, champion, champion_1, cheat, ",
        ),
        (["calm.py", "--rules", "limti"], "Unknown preset 'limti'. Did you mean 'limit'?"),
        (
            ["calm.py", "--rules", "wikipedia", "--against", ",".join(["tight"] * 7)],
            "Preset 'wikipedia' is for 2 to 7 seats, not 8",
        ),
        (["calm.py", "--against", ",".join(["tight"] * 8)], "9 seats cannot play Bourré (R1.1)."),
        (["calm.py", "--deals", "0"], "--deals"),
    ],
)
def test_bad_input_ends_with_2(bourre: Bourre, words: list[str], says: str) -> None:
    done = bourre("practice", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_a_misnamed_method_ends_it_with_3_and_lenient_goes_on(bourre: Bourre) -> None:
    Path("loud.py").write_text(
        "from bourre import Bot\nclass Loud(Bot):\n    def Play(self, view):\n        return None\n"
    )
    words = ("practice", "loud.py", "--against", "lowest", "--deals", 4)
    done = bourre(*words)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("bourre: loud: Loud.Play is never called: did you mean 'play'?")
    assert "--lenient" in done.err
    done = bourre(*words, "--lenient")
    assert (done.code, "did you mean 'play'?" in done.err) == (0, True)
