"""Runs on a failing host or in a damaged folder: the place and the fix are named, and a sound run can be resumed."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import GO_ON, ContestError
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.start import begin, open_store
from bourre_referee.storage.database import sqlite_connection as connection
from bourre_referee.storage.database.store import Finished
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation, hold_lock
from bourre_referee.storage.run.run import Run
from tests.long_tests import share_of_examples
from tests.referee import contests, full_disk
from tests.referee.command import Ended, called
from tests.referee.damage import Damage, copied, damages
from tests.referee.in_process import leave_at, rooms_in_process, run_in_process
from tests.referee.rooms import played

NOBODY = 65534


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    """Ten matches."""
    return contests.small_contest(tmp_path / "contest")


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    """The digest of their run."""
    place = tmp_path_factory.mktemp("undisturbed")
    return run_in_process(contests.small_contest(place / "contest"), place / "run", played).manifest.digest


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user may enter; the tests' own folder is closed to others."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        yield Path(place)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Gives the folder and this process to an ordinary user, because no file permissions can keep root out."""
    before = os.geteuid()
    if before == 0:
        for path in [folder, *folder.iterdir()]:
            os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def refused(contest: Contest, folder: Path) -> str:
    with pytest.raises(ContestError) as caught:
        run_in_process(contest, folder, played)
    return str(caught.value)


@pytest.mark.parametrize("left", [8, *(pytest.param(left, marks=pytest.mark.long) for left in (24, 56, 120))])
def test_a_full_disk_is_named_and_nothing_is_lost(digest: str | None, tmp_path: Path, left: int) -> None:
    made = full_disk.start(tmp_path, left)
    assert made.returncode == 0, made.stderr
    run = json.loads(made.stdout)
    assert run["code"] == 2
    *_, named, hint = (line for line in run["said"].splitlines() if GO_ON not in line)
    assert named.startswith((f"bourre: {tmp_path}/run/", f"bourre: Cannot write {tmp_path}/run/"))
    assert hint.startswith("hint: ")
    assert "Traceback" not in run["said"]
    assert run["digest"] == digest


def test_a_bot_that_is_changed_meanwhile_is_named(contest: Contest, digest: str | None, tmp_path: Path) -> None:
    bob, folder = contest.folder / "bob.py", tmp_path / "run"
    before = bob.read_text()

    def watch(progress: Progress) -> None:
        if progress.done == 5:
            bob.write_text("print('better')")

    with pytest.raises(ContestError) as caught:
        run_in_process(contest, folder, played, watch=watch)
    assert str(caught.value) == (
        f"{contest.folder} changed during the contest: bot bob: bob.py was changed.\n"
        f"hint: undo the change, or set another folder with --out\n{GO_ON}"
    )
    assert len(Run.open(folder).matches()) == 5
    bob.write_text(before)
    assert run_in_process(contest, folder, played).manifest.digest == digest


def test_a_bots_file_may_be_touched_and_may_go_away_only_when_it_comes_back(
    contest: Contest, digest: str | None, tmp_path: Path
) -> None:
    cy = contest.folder / "cy.py"

    def watch(progress: Progress) -> None:
        if progress.done in (2, 4):
            os.utime(cy) if progress.done == 2 else cy.rename(cy.with_suffix(".bak"))

    with pytest.raises(
        ContestError,
        match=r"\[\[bots\]\] cy: .*cannot read .*cy\.py: No such file or directory\.\nhint: correct its files",
    ):
        run_in_process(contest, tmp_path / "run", played, watch=watch)
    assert len(Run.open(tmp_path / "run").matches()) == 4
    cy.with_suffix(".bak").rename(cy)
    assert run_in_process(contest, tmp_path / "run", played).manifest.digest == digest


def test_a_database_that_another_program_holds_is_named(
    contest: Contest, digest: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "WAIT_S", 0.01)
    folder = tmp_path / "run"
    others: list[sqlite3.Connection] = []

    def watch(progress: Progress) -> None:
        if progress.done == 3:
            others.append(sqlite3.connect(folder / "run.db", isolation_level=None))
            others[0].execute("BEGIN IMMEDIATE")

    with pytest.raises(ContestError, match=r"run\.db: database is locked\.\nhint: close the other program"):
        run_in_process(contest, folder, played, watch=watch)
    others[0].close()
    assert len(Run.open(folder).matches()) == 3
    assert run_in_process(contest, folder, played).manifest.digest == digest


@pytest.mark.parametrize(
    ("name", "rights", "says"),
    [
        ("", 0o555, "/run.scratch: Permission denied."),
        ("", 0o000, ": cannot be a run folder (Permission denied).\nhint: set another with --out"),
        ("run.lock", 0o444, "/run.lock: Permission denied."),
        ("seed.secret", 0o000, "/seed.secret, the secret seed: [Errno 13] Permission denied"),
        ("manifest.json", 0o000, "/manifest.json: Permission denied."),
        ("run.db", 0o444, "/run.db: attempt to write a readonly database."),
        ("run.db", 0o000, "/run.db: Permission denied."),
    ],
)
def test_what_may_not_be_used_is_named(open_place: Path, name: str, rights: int, says: str) -> None:
    contest = contests.small_contest(open_place / "contest", contests.FILE.replace("seed = 7\n", ""))
    folder = open_place / "run"
    leave_at(3, contest, folder, played)
    with as_nobody(folder):
        (folder / name).chmod(rights)
        said = refused(contest, folder)
        folder.chmod(0o755)
        (folder / name).chmod(0o755 if name == "" else 0o644)
    assert f"{folder}{says}" in said
    assert run_in_process(contest, folder, played).manifest.complete


SHORT = contests.FILE.replace("rounds = 2", "rounds = 1").replace("deals = 4", "deals = 1")
SECRET = SHORT.replace("seed = 7\n", "")

COMMANDS = {
    "standings": "standings RUN",
    "standings --json": "standings RUN --json",
    "standings --csv": "standings RUN --csv",
    "replay": "replay RUN 1",
    "verify": "verify RUN --jobs 1",
    "verify --json": "verify RUN --jobs 1 --json",
    "void": "annul RUN 1 --reason doubt",
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
        assert all(line.startswith(("bourre: ", "hint: ")) for line in done.err.splitlines())
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
            "table seat, number 1, seat 0: wins holds text, should hold integer.",
        ),
        (
            "run CONTEST --out RUN",
            spoil_revealed,
            "seed.revealed: 'zz' is no number of 64 hexadecimal digits.",
        ),
        ("replay RUN " + "9" * 5000, lambda folder: None, "has no finished match '999"),
        ("replay RUN \udcff", lambda folder: None, "has no finished match '?'"),
        ("annul RUN \udcff --reason doubt", lambda folder: None, "has no finished match '?'"),
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
