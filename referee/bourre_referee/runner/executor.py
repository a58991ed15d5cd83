"""What every executor promises: rooms go in, reports come out; where the rooms are played is its own business."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.remote_rooms import DoorRooms
from bourre_referee.runner.room_reports import Report, RoomLost


class Executor(Protocol):
    """Plays rooms. A room that fails is played again, but not after the last of its attempts.

    What a room that `restarts` leaves unplayed becomes a room of its own.
    """

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""

    @property
    def free(self) -> int:
        """How many more rooms could begin without waiting; rooms of remote bots alone always can."""

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play."""

    @property
    def summary(self) -> tuple[str, ...]:
        """What each host has done, one sentence each; none if there is only this one."""

    def submit(self, room: RoomSpec) -> None:
        """Queues a room; it begins inside the next call of `reports`, or once there is a place for it."""

    def reports(self, timeout: float | None = None) -> list[Report]:
        """Begins what may begin, and waits for reports, at most `timeout` seconds (None: one beat).

        It may return none, even sooner. Raises KeyboardInterrupt when stopped, and ContestFailed if nothing can play.
        """


@dataclass(frozen=True, slots=True)
class Workplace:
    """What an executor must know of the contest or ladder for which it plays."""

    site: Site
    """Where this machine has the bots' files and wants their logs."""
    stop: Stop | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    """What is added to the environment of processes on this machine."""
    door: DoorRooms | None = None
    """Where the rooms with remote bots are played, if there are any."""
    brief: Callable[[RoomSpec], RoomSpec] = lambda room: room
    """What a room becomes that begins, by what is known by then."""


MakeExecutor = Callable[[Workplace], AbstractContextManager[Executor]]
"""Makes an executor, which plays inside a `with` block: when that is left, everything it started is gone."""


def play_all(
    rooms: Sequence[RoomSpec], executor: Executor, tell: Callable[[tuple[RoomSpec, ...]], None]
) -> Generator[Report]:
    """Plays every room, and yields the reports in the order of finishing; tells again and again what is in play.

    A room that is given up raises ContestFailed, and a stop raises KeyboardInterrupt between two reports.
    """
    for room in rooms:
        executor.submit(room)
    while executor.busy:
        reports = executor.reports()
        yield from reports
        tell(executor.in_play)  # once they are stored: it may fail
        for report in reports:
            if isinstance(report, RoomLost) and report.is_last:
                raise ContestFailed(_why(report))


def _why(lost: RoomLost) -> str:
    return (
        f"room {lost.room.room} failed {lost.attempt} times, which is no bot's fault: {lost.reason}\n"
        "Finished matches are stored; fix the host and run again to go on."
    )
