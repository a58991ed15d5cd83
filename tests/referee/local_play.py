"""Rooms played by worker processes of this machine, in one call."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.executor import Workplace, play_all
from bourre_referee.runner.local_executor import LocalExecutor
from bourre_referee.runner.room_reports import Report
from bourre_referee.runner.worker import PlayRoom


def play(rooms: Sequence[RoomSpec], jobs: int, play_room: PlayRoom) -> Generator[Report]:
    """Plays every room; when the iterator is closed, the workers are gone."""
    with LocalExecutor(jobs, Workplace(Site(Path(), Path())), play_room) as executor:
        yield from play_all(rooms, executor, lambda rooms: None)
