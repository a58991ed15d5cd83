"""Runs on a failing host: their errors name the place and the fix, and they can be resumed."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.database import sqlite_connection as connection
from bourre_referee.storage.run.run import Run
from tests.referee import contests, full_disk
from tests.referee.in_process import leave_at, run_in_process
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
    *_, last = run["said"].splitlines()
    assert last.startswith(f"bourre: {tmp_path}/run/")
    assert last.endswith("run again; finished matches are stored")
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
        f"{contest.folder}: while the contest ran: bot bob: bob.py was changed. Finished matches are stored; "
        "undo the change to go on, or start again with --fresh"
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

    with pytest.raises(ContestError, match=r"\[\[bots\]\] cy: .*cy\.py: No such file or directory; correct its files"):
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

    with pytest.raises(ContestError, match=r"run\.db: database is locked; another program holds it: close that"):
        run_in_process(contest, folder, played, watch=watch)
    others[0].close()
    assert len(Run.open(folder).matches()) == 3
    assert run_in_process(contest, folder, played).manifest.digest == digest


@pytest.mark.parametrize(
    ("name", "rights", "says"),
    [
        ("", 0o555, "/run.scratch: Permission denied: check its permissions and the free disk space, and run again"),
        ("", 0o000, ": cannot be a run folder (Permission denied); give another with --out"),
        ("run.lock", 0o444, "/run.lock: cannot be written (Permission denied): check its permissions"),
        ("seed.secret", 0o000, "/seed.secret: the secret seed cannot be read ([Errno 13] Permission denied"),
        ("manifest.json", 0o000, "/manifest.json: cannot be read (Permission denied): check its permissions"),
        ("run.db", 0o444, "/run.db: attempt to write a readonly database; the file or its folder may not be written"),
        ("run.db", 0o000, "/run.db: Permission denied: check its permissions and the free disk space, and run again"),
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
    assert said.startswith(f"{folder}{says}")
    assert run_in_process(contest, folder, played).manifest.complete
