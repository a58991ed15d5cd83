"""Runs that are stopped at every kind of moment: nothing is lost, nobody else plays there, the messages are true."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGKILL, SIGTERM, Signals

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.run import Run
from tests.referee import contest_program, contests
from tests.referee.in_process import run_in_process
from tests.referee.rooms import played
from tests.referee.signal_moments import Nursery

NOTHING_PLAYED = "Interrupted. Finished matches are stored. To continue:"
ALL_PLAYED = "interrupted: 5 of 5 matches are stored in {}. Run again to go on."
FIVE = contests.FILE.replace("rounds = 2", "rounds = 1")


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    """Five matches."""
    return contests.small_contest(tmp_path_factory.mktemp("contest"), FIVE)


@pytest.fixture(scope="module")
def undisturbed(contest: Contest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The expected results."""
    return run_in_process(contest, tmp_path_factory.mktemp("undisturbed") / "run", played)


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with closing(Nursery(tmp_path_factory.mktemp("said"))) as nursery:
        yield nursery


def assert_goes_on_to(undisturbed: Run, contest: Contest, folder: Path) -> None:
    """Asserts that the run in this folder resumes to the same end, and leaves the same files."""
    again = run_in_process(contest, folder, played)
    assert contests.but_for_its_log(again.manifest) == contests.but_for_its_log(undisturbed.manifest)
    assert again.results() == undisturbed.results()
    assert {path.name for path in folder.iterdir()} == {path.name for path in undisturbed.path.iterdir()}
    assert (folder / "standings.json").read_text() == (undisturbed.path / "standings.json").read_text()
    with closing(sqlite3.connect(folder / "run.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        ("after seed", None),
        pytest.param("after manifest", None, marks=pytest.mark.long),
        pytest.param("before match", 0, marks=pytest.mark.long),
        ("after match 3", 3),
        ("before standings", 5),
        pytest.param("before manifest 8", 5, marks=pytest.mark.long),
        ("before seal", 5),
    ],
)
def test_a_run_killed_at_any_moment_goes_on_to_the_same_end(
    nursery: Nursery, undisturbed: Run, contest: Contest, tmp_path: Path, moment: str, stored: int | None
) -> None:
    killed = nursery.bourre(
        moment, SIGKILL, "run", contest.folder / "contest.toml", "--out", tmp_path / "run", "--jobs", "1"
    )
    assert killed.returncode == -SIGKILL
    if stored is None:
        assert not (tmp_path / "run" / "run.db").exists()
    else:
        assert len(Run.open(tmp_path / "run").matches()) == stored
    assert_goes_on_to(undisturbed, contest, tmp_path / "run")


@pytest.mark.parametrize(
    ("moment", "number", "says"),
    [
        ("before seed", SIGTERM, NOTHING_PLAYED),
        pytest.param("after database", SIGINT, NOTHING_PLAYED, marks=pytest.mark.long),
        ("before manifest 2", SIGHUP, "interrupted: 0 of 5 matches are stored in {}. Run again to go on."),
        ("before match 3", SIGINT, "interrupted: 3 of 5 matches are stored in {}. Run again to go on."),
        pytest.param("after match 5", SIGTERM, ALL_PLAYED, marks=pytest.mark.long),
        ("before standings", SIGHUP, ALL_PLAYED),
        ("before printing", SIGINT, NOTHING_PLAYED),
    ],
)
def test_a_signal_at_any_moment_ends_a_run_in_words(
    nursery: Nursery, undisturbed: Run, contest: Contest, tmp_path: Path, moment: str, number: Signals, says: str
) -> None:
    folder, file = tmp_path / "run", contest.folder / "contest.toml"
    ended = nursery.bourre(moment, number, "run", file, "--out", folder, "--jobs", "1", "--fresh")
    assert (ended.returncode, ended.stdout) == (0 if number == SIGTERM else 130, "")
    assert says.format(folder) in ended.stderr
    assert ended.stderr.endswith(f"bourre:   bourre run {file} --jobs 1 --out {folder}\n")
    assert "Traceback" not in ended.stderr
    assert_goes_on_to(undisturbed, contest, folder)


THREE_OR_FOUR = (3, 4)
"""When the fifth room begins, the fourth match is in the database or on its way there."""


@pytest.fixture
def running(contest: Contest, pipe: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The same run in another process, which never finishes its fifth room, and whose worker writes to the pipe."""
    contests.write_contest(tmp_path / "contest", FIVE)
    with contest_program.start("run", tmp_path) as running:
        yield running
        running.kill()


def test_nobody_else_plays_in_the_folder_of_a_run_and_a_killed_one_leaves_no_worker_and_goes_on(
    running: subprocess.Popen[str], contest: Contest, undisturbed: Run, pipe: Path, tmp_path: Path
) -> None:
    with pipe.open() as heard:
        heard.readline()
        for fresh in (False, True):
            with pytest.raises(
                ContestError, match=rf"run: process {running.pid} is playing this contest\.\nhint: wait for it"
            ):
                run_in_process(contest, tmp_path / "run", played, fresh=fresh)
        running.kill()
        # This file ends when the worker does.
        assert heard.read() == "cancelled\n"
    running.wait()  # a worker may learn of it before the system releases the lock
    assert len(Run.open(tmp_path / "run").matches()) in THREE_OR_FOUR
    assert_goes_on_to(undisturbed, contest, tmp_path / "run")
