"""Runs that are stopped from outside, at an arbitrary moment."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run import Run
from tests.referee import contest_program, contests, rooms
from tests.referee.scripted_rooms import ScriptedRooms

pytestmark = pytest.mark.xdist_group("processes")

THREE_OR_FOUR = (3, 4)
"""When the fifth room begins, the fourth match is in the database or on its way there."""


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path / "contest")


@pytest.fixture
def line(tmp_path: Path) -> Path:
    """The named pipe to which the program's worker writes."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.fixture
def running(contest: Contest, line: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run in another process, which never finishes its fifth room."""
    with contest_program.start("run", tmp_path) as running:
        yield running
        running.kill()


def test_nobody_else_plays_in_the_folder_of_a_run_and_a_killed_one_leaves_no_worker_and_goes_on(
    running: subprocess.Popen[str], contest: Contest, line: Path, tmp_path: Path
) -> None:
    with line.open() as heard:
        heard.readline()
        for fresh in (False, True):
            with pytest.raises(ContestError, match=rf"run: process {running.pid} is playing this contest; wait for it"):
                run(contest, tmp_path / "run", fresh=fresh, play_room=rooms.play_room)
        running.kill()
        # This file ends when the worker does.
        assert heard.read() == "cancelled\n"
    running.wait()  # a worker may learn of it before the system releases the lock
    assert len(Run.open(tmp_path / "run").matches()) in THREE_OR_FOUR
    again = run(contest, tmp_path / "run", executor=ScriptedRooms().make)
    undisturbed = run(contest, tmp_path / "undisturbed", executor=ScriptedRooms().make)
    assert again.manifest.digest == undisturbed.manifest.digest
    assert again.manifest.chain == undisturbed.manifest.chain


def test_an_interrupted_run_says_how_far_it_came(running: subprocess.Popen[str], line: Path, tmp_path: Path) -> None:
    with line.open() as heard:
        heard.readline()
        running.send_signal(signal.SIGTERM)
        assert heard.read() == "cancelled\n"
    said, _ = running.communicate()
    stored = Run.open(tmp_path / "run").manifest.finished
    assert stored in THREE_OR_FOUR
    assert said == (
        f"Interrupted: interrupted: {stored} of 10 matches are stored in {tmp_path / 'run'}; "
        "run again to go on from there\n"
    )
