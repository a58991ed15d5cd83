"""Rooms to play, and a named pipe by which a test talks with the worker that plays one."""

import os
from pathlib import Path

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import plan
from bourre_referee.model.spec import RoomSpec
from tests.referee import contests


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
