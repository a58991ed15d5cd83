"""`bourre run`: what goes to stdout, what to stderr, where the run folder is, how it ends."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.model.errors import Interrupted
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.runner import contest_run as contest_run
from bourre_referee.storage.run.run import Run
from tests.referee import contests, rooms
from tests.referee.command import Bourre, called
from tests.referee.in_process import finished_run, rooms_in_process

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Bourre]:
    """Runs the command in a folder with a contest whose rooms need no bots."""
    monkeypatch.chdir(tmp_path)
    contests.write_contest(tmp_path)
    with rooms_in_process(rooms.played):
        yield called


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of that contest."""
    return finished_run(tmp_path_factory.mktemp("kept"), played=rooms.played)


@pytest.fixture
def finished(kept: Path, tmp_path: Path) -> Path:
    """A copy of it, which the test may damage."""
    return Path(copytree(kept, tmp_path / "finished"))


def test_a_run_prints_the_standings_and_talks_on_stderr(bourre: Bourre) -> None:
    done = bourre("run", "contest.toml")
    assert done.code == 0
    assert done.out.startswith("small: 10 matches of 4 deals\npractice seed 7, not secret\n\n   bot ")
    talk = done.err.splitlines()
    assert talk[:2] == [
        "bourre: small: 5 bots, 10 matches of 4 deals at tables of 3. Results: runs/small",
        "bourre: practice seed 7, not secret",
    ]
    assert "reneged for the first time in m0" in done.err
    assert talk[-4].startswith("bourre: Finished in ")
    assert talk[-3:] == [
        "bourre:   bourre replay runs/small m0001 --deal 1",
        "bourre:   bourre standings runs/small --csv",
        "bourre:   bourre view runs/small",
    ]


def test_a_bot_that_never_played_is_told_with_the_place_that_says_why(bourre: Bourre) -> None:
    with rooms_in_process(rooms.played_for_ada):
        done = bourre("run", "contest.toml")
    assert done.code == 0
    why = "bourre: warning: ada played none of its deals: see runs/small/logs/ada/"
    assert [line for line in done.err.splitlines() if "warning" in line] == [why]


def test_a_bot_that_never_started_is_told_why_with_the_command_that_repeats_it(bourre: Bourre) -> None:
    def played(spec: MatchSpec) -> MatchOutcome:
        log = Path("runs/small/logs/ada", f"{spec.match}.log")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("[bourre] never started: ada.py is empty; write a class\n")
        return rooms.played_for_ada(spec)

    with rooms_in_process(played):
        done = bourre("run", "contest.toml")
    lines = done.err.splitlines()
    at = lines.index("bourre: warning: ada never started: ada.py is empty; write a class")
    assert lines[at + 1] == "bourre:   to see it again: bourre check ada.py"


def test_a_bot_whose_play_was_mostly_the_houses_is_told_with_what_it_raised(bourre: Bourre) -> None:
    def played(spec: MatchSpec) -> MatchOutcome:
        log = Path("runs/small/logs/ada", f"{spec.match}.log")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(
            'Traceback (most recent call last):\n  File "/bot/ada.py", line 3, in __init__\n    x\nNameError: \x1b\n'
        )
        outcome = rooms.played_for_ada(spec)
        seats = tuple(
            replace(seat, house_deals=seat.house_deals and seat.house_deals - 1) for seat in outcome.result.seats
        )
        return replace(outcome, result=replace(outcome.result, seats=seats))

    with rooms_in_process(played):
        done = bourre("run", "contest.toml")
    lines = done.err.splitlines()
    (at,) = [number for number, line in enumerate(lines) if "warning" in line]
    why = "ada played 6 of its 24 deals, and the stand-in the others: ada.py, line 3: NameError: \\x1b"
    assert lines[at : at + 2] == [f"bourre: warning: {why}", "bourre:   to see it again: bourre check ada.py"]


def test_what_is_hardly_meant_is_warned_of_before_the_first_card(bourre: Bourre) -> None:
    file = Path("contest.toml")
    file.write_text(file.read_text().replace('preset = "limit"', "pot_limit = 2\nmust_beat = false"))
    done = bourre("run", "contest.toml")
    assert done.code == 0
    assert done.err.splitlines()[:5] == [
        "bourre: warning: pot_limit = 2: less than the 3 chips of 3 antes, so the pot grows from deal to deal (R7.4).",
        "hint: set pot_limit = 3 or more",
        "bourre: warning: must_overtrump = true with must_beat = false: it has no effect without must_beat, so "
        "any trump will do (R5.4).",
        "hint: set must_beat = true, or must_overtrump = false",
        "bourre: small: 5 bots, 10 matches of 4 deals at tables of 3. Results: runs/small",
    ]
    assert "warning" not in done.out


def test_run_again_plays_nothing_and_says_so(bourre: Bourre, finished: Path) -> None:
    again = bourre("run", "contest.toml", "--out", finished)
    assert again.code == 0
    assert again.out.startswith("small: 10 matches of 4 deals\n")
    assert "bourre: All matches were played before.\nhint: to play them again, set another folder" in again.err


def test_fresh_plays_again(bourre: Bourre, finished: Path) -> None:
    again = bourre("run", "contest.toml", "--out", finished, "--fresh", "--jobs", 1)
    assert again.code == 0
    assert "played before" not in again.err
    assert "reneged for the first time in m0" in again.err


def test_json_is_the_only_thing_on_stdout(bourre: Bourre, finished: Path) -> None:
    done = bourre("run", "contest.toml", "--out", finished, "--json")
    assert json.loads(done.out)["contest"] == "small"
    assert done.out == (finished / "standings.json").read_text()


def test_the_commitment_to_a_secret_seed_comes_first_on_stdout(bourre: Bourre) -> None:
    file = Path("contest.toml")
    file.write_text(file.read_text().replace("seed = 7\n", ""))
    done = bourre("run", "contest.toml", "--jobs", 1)
    manifest = Run.open(Path("runs/small")).manifest
    sha256 = manifest.seed.commitment
    assert done.code == 0
    assert done.out.splitlines()[:4] == [
        f"seed secret until all matches are done, SHA-256 {sha256}",
        f"terms SHA-256 {manifest.terms_hash}, log {manifest.log[0].hash()}",
        "small: 10 matches of 4 deals",
        f"seed was secret, revealed at the end, SHA-256 {sha256}",
    ]
    assert "SHA-256" not in done.err
    again = bourre("run", "contest.toml", "--fresh", "--jobs", 1, "--json")
    assert f"bourre: seed secret until all matches are done, SHA-256 {json.loads(again.out)['commitment']}" in again.err


def test_a_changed_bot_is_named(bourre: Bourre, finished: Path) -> None:
    Path("ada.py").write_text("print('stronger')\n")
    done = bourre("run", "contest.toml", "--out", finished)
    assert (done.code, done.out) == (2, "")
    assert "bot ada: ada.py was changed" in done.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[contest", "contest.toml is not valid TOML"),
        (
            contests.FILE.replace("seats", "setas"),
            "contest.toml:6: [table] Unknown key 'setas'. Did you mean 'seats'?",
        ),
        (contests.FILE, "[table] seats = 3, but 0 bots are entered"),
        (contests.FILE + contests.bot("zoe") * 3, "no file 'zoe.py' here"),
        (contests.FILE.replace("limit", "limti"), "Did you mean 'limit'?"),
    ],
)
def test_a_bad_contest_file_ends_with_2_before_anything_starts(bourre: Bourre, text: str, says: str) -> None:
    Path("contest.toml").write_text(text)
    done = bourre("run", "contest.toml")
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err
    assert not Path("runs").exists()


def test_a_folder_that_holds_something_else_is_left_alone(bourre: Bourre) -> None:
    Path("thesis").mkdir()
    Path("thesis/chapter.txt").write_text("all my work")
    done = bourre("run", "contest.toml", "--out", "thesis", "--fresh")
    assert done.code == 2
    assert "thesis contains chapter.txt, but no run" in done.err
    assert Path("thesis/chapter.txt").read_text() == "all my work"


def test_an_interrupted_run_says_how_to_go_on(bourre: Bourre, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted(3, 10, Path("runs/small"))

    monkeypatch.setattr(contest_run, "run", interrupted)
    done = bourre("run", "contest.toml")
    assert (done.code, done.out) == (130, "")
    assert "bourre: interrupted: 3 of 10 matches are stored in runs/small. Run again to go on.\n" in done.err
