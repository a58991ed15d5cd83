"""Practice is a promise: a bot that passes it without a warning starts in a contest, at every level of isolation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from bourre_referee.storage.run.run import Run
from tests.end_to_end.planted_starts import MISTAKES, SOUND
from tests.referee.command import Ended, called

pytestmark = pytest.mark.usefixtures("tireless_host")

CONTEST = """\
[contest]
name = "starts"
seed = 7
[table]
seats = {seats}
deals = 2
fresh = false
[schedule]
rounds = 1
[isolation]
level = "{level}"
"""
ENTRY = '[[bots]]\nname = "{name}"\ncommand = ["python", "{name}.py"]\n'


def plant(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / f"{name}.py").write_bytes(content)


def write_contest(folder: Path, names: Collection[str], level: str) -> None:
    head = CONTEST.format(seats=len(names), level=level)
    (folder / "contest.toml").write_text(head + "".join(ENTRY.format(name=name) for name in names))


def practised(name: str) -> Ended:
    return called("practice", f"{name}.py", "--against", "lowest", "--deals", 4)


def promised(names: Collection[str]) -> list[str]:
    """The bots that practice lets pass without a word."""
    return [name for name in names if (done := practised(name)).code == 0 and not done.err]


def at_fault(folder: Path, names: Collection[str], level: str) -> set[str]:
    """Plays matches of these bots at one table, and returns the bots that committed any fault."""
    write_contest(folder, names, level)
    done = called("run", "contest.toml", "--fresh", "--out", f"run-{level}")
    assert done.code == 0, done.err
    matches = Run.open(folder / f"run-{level}").results()
    return {seat.bot for match in matches for seat in match.seats if seat.faults}


@pytest.mark.parametrize("level", [pytest.param("none", marks=pytest.mark.long), "bwrap"])
def test_what_passes_practice_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    monkeypatch.chdir(tmp_path)
    sound, mistakes = ["draws", "reads_itself", "iterates_over_a_set"], ["calls_nothing", "draws_by_the_clock"]
    plant(tmp_path, {name: {**SOUND, **MISTAKES}[name] for name in (*sound, *mistakes)})
    write_contest(tmp_path, [*sound, *mistakes], level)
    assert promised([*sound, *mistakes]) == sound
    assert at_fault(tmp_path, sound, level) == set()


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("level", ["none", "bwrap"])
def test_of_all_that_passes_practice_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    monkeypatch.chdir(tmp_path)
    plant(tmp_path, {**SOUND, **MISTAKES})
    write_contest(tmp_path, ["plays", "draws"], level)
    passed = promised([*SOUND, *MISTAKES])
    for first in range(0, len(passed), 7):
        assert at_fault(tmp_path, passed[first : first + 7], level) == set()
    assert passed == list(SOUND)
