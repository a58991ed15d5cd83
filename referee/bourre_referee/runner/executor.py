"""The interface of an executor, which plays rooms and reports their results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from bourre_referee.model.errors import GO_ON, ContestFailed
from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.remote_rooms import RemoteRooms
from bourre_referee.runner.room_reports import Report, RoomLost, WorkerLoad


class Executor(Protocol):
    """Plays rooms. A room that fails is played again, but not after the last of its attempts.

    If a room `restarts`, its remaining matches become a new room.
    """

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""

    @property
    def free(self) -> int:
        """The number of rooms that could begin at once. Rooms with only remote bots always can."""

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play."""

    @property
    def load(self) -> tuple[WorkerLoad, ...]:
        """The work of each worker."""

    @property
    def summary(self) -> tuple[str, ...]:
        """A sentence for each host about its work; empty if this is the only host."""

    def submit(self, room: RoomSpec) -> None:
        """Queues a room. It begins in the next call of `reports`, or once there is capacity."""

    def reports(self, timeout: float | None = None) -> list[Report]:
        """Starts rooms, and waits for reports, at most `timeout` seconds (None: one beat).

        It may return early, without reports. Raises KeyboardInterrupt when stopped, and ContestFailed if no room can be
        played.
        """


@dataclass(frozen=True, slots=True)
class Workplace:
    """The settings of a contest or ladder for its executor."""

    site: Site
    """Where this machine has the bots' files and stores their logs."""
    stop: Stop | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to add to the environment of processes on this machine."""
    remote: RemoteRooms | None = None
    """Plays the rooms with remote bots, if there are any."""
    brief: Callable[[RoomSpec], RoomSpec] = lambda room: room
    """Adjusts a room when it begins, such as to leave out bots that failed to start."""


MakeExecutor = Callable[[Workplace], AbstractContextManager[Executor]]
"""Makes an executor for a `with` block. At the end of the block, everything it started has ended."""


def play_all(
    rooms: Sequence[RoomSpec], executor: Executor, tell: Callable[[tuple[RoomSpec, ...]], None]
) -> Generator[Report]:
    """Plays every room, and yields the reports in order of completion. `tell` gets the rooms in play.

    Raises ContestFailed for a room that is given up, and KeyboardInterrupt for a stop between two reports.
    """
    for room in rooms:
        executor.submit(room)
    while executor.busy:
        reports = executor.reports()
        yield from reports
        tell(executor.in_play)  # after storing them, because it may fail
        for report in reports:
            if isinstance(report, RoomLost) and report.is_last:
                raise ContestFailed(_why(report))


def _why(lost: RoomLost) -> str:
    return f"room {lost.room.room} failed {lost.attempt} times, which is not a bot's fault: {lost.reason}\n{GO_ON}"
