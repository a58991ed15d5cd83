"""Every command on a randomly damaged run folder: a documented exit code and a message, never a traceback."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.runner.start import begin, open_store
from bourre_referee.storage.database.store import Finished
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation, hold_lock
from tests.long_tests import share_of_examples
from tests.referee import contests
from tests.referee.command import Ended, called
from tests.referee.damage import Damage, copied, damages
from tests.referee.in_process import rooms_in_process, run_in_process

SHORT = contests.FILE.replace("rounds = 2", "rounds = 1").replace("deals = 4", "deals = 1")
SECRET = SHORT.replace("seed = 7\n", "")

COMMANDS = {
    "standings": "standings RUN",
    "standings --json": "standings RUN --json",
    "standings --csv": "standings RUN --csv",
    "replay": "replay RUN 1",
    "verify": "verify RUN --jobs 1",
    "verify --json": "verify RUN --jobs 1 --json",
    "void": "void RUN 1 --reason doubt",
    "export jsonl": "export RUN --format jsonl --out OUT",
    "export csv": "export RUN --format csv --out OUT",
    "export site": "export RUN --format site --out OUT",
    "run": "run CONTEST --out RUN --jobs 1",
    "run --fresh": "run CONTEST --out RUN --jobs 1 --fresh",
}
DIFFERENCE = 4


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`finished` with a public seed; `begun`, one match of five, with a secret one; and their contests."""
    place = tmp_path_factory.mktemp("runs")
    run_in_process(contests.small_contest(place / "finished contest", SHORT), place / "finished", contests.played)
    contest, layout = contests.small_contest(place / "begun contest", SECRET), FolderLocation(place / "begun")
    layout.make()
    beginning = begin(contest, terms_of(contest), layout, datetime.now(UTC), print)
    with open_store(beginning) as store:
        store.add(Finished(1, 1, contests.played(beginning.rooms[0].matches[0])))
    return place


def bourre(*words: str) -> Ended:
    """How the command ends, with rooms that are played at once."""
    with rooms_in_process(contests.played):
        return called(*words)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@share_of_examples(0.16)
@given(state=st.sampled_from(["finished", "begun"]), damage=damages())
def test_a_damaged_folder_is_answered_in_words(runs: Path, command: str, state: str, damage: Damage) -> None:
    with TemporaryDirectory() as place:
        folder = copied(runs / state, Path(place, "run"))
        damage(folder)
        meant = {"RUN": str(folder), "OUT": f"{place}/out", "CONTEST": str(runs / f"{state} contest" / "contest.toml")}
        done = bourre(*(meant.get(word, word) for word in command.split()))
        assert done.code in {0, 2} | ({DIFFERENCE} if command.startswith("verify") else set())
        assert all(line.startswith("bourre: ") for line in done.err.splitlines())
        assert done.err or done.code != 2


def rewrite_a_column(folder: Path) -> None:
    """Writes text where a number belongs."""
    with closing(sqlite3.connect(folder / "run.db")) as connection, connection:
        connection.execute("UPDATE seat SET wins = 'many' WHERE number = 1")


def spoil_revealed(folder: Path) -> None:
    """Writes an invalid seed into the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["seed"]["revealed"] = "zz"
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("command", "damage", "says"),
    [
        (
            "standings RUN",
            rewrite_a_column,
            "table seat, number 1, seat 0: wins holds text, should hold integer: restore a copy",
        ),
        (
            "run CONTEST --out RUN",
            spoil_revealed,
            "seed.revealed: 'zz' is no number of 64 hexadecimal digits; restore a copy",
        ),
        ("replay RUN " + "9" * 5000, lambda folder: None, "there is no finished match '999"),
        ("replay RUN \udcff", lambda folder: None, "there is no finished match '?'"),
        ("void RUN \udcff --reason doubt", lambda folder: None, "there is no finished match '?'"),
    ],
    ids=[
        "text for a number",
        "a seed that is none",
        "a long number",
        "no text",
        "no text to void",
    ],
)
def test_what_was_found_stays_fixed(runs: Path, tmp_path: Path, command: str, damage: Damage, says: str) -> None:
    folder = copied(runs / "finished", tmp_path / "run")
    damage(folder)
    meant = {"RUN": str(folder), "CONTEST": str(runs / "finished contest" / "contest.toml")}
    done = bourre(*(meant.get(word, word) for word in command.split()))
    assert done.code == 2
    assert says in done.err


def test_text_for_a_number_is_a_difference(runs: Path, tmp_path: Path) -> None:
    rewrite_a_column(copied(runs / "finished", tmp_path / "run"))
    done = bourre("verify", str(tmp_path / "run"), "--jobs", "1")
    assert done.code == DIFFERENCE
    assert "m0001" in done.out


def test_a_lock_that_is_no_text_is_held_all_the_same(runs: Path, tmp_path: Path) -> None:
    folder = copied(runs / "begun", tmp_path / "run")
    with hold_lock(folder / "run.lock"):
        (folder / "run.lock").write_bytes(b"\xff")
        done = bourre("run", str(runs / "begun contest" / "contest.toml"), "--out", str(folder))
    assert done.code == 2
    assert "is playing this contest" in done.err
