"""Rooms to play, and a named pipe by which a test talks with the worker that plays one."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import plan
from bourre_referee.model.spec import RoomSpec
from tests.referee import contest_program, contests


@pytest.fixture
def rooms(tmp_path: Path) -> tuple[RoomSpec, ...]:
    """Ten rooms of one match each."""
    return plan(contests.small_contest(tmp_path / "contest"), master_seed(7))


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.fixture
def parent(rooms: tuple[RoomSpec, ...], tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A program with one worker, which never finishes the fifth room."""
    with contest_program.start("rooms", tmp_path) as parent:
        yield parent
        parent.kill()
