"""An executor that plays in this process, one room after another: for what a run makes of the reports that it gets."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.executor import Workplace
from bourre_referee.runner.room_reports import Report, RoomTask, WorkerLoad
from bourre_referee.runner.worker import Failed, PlayRoom, play_or_fail
from tests.referee import rooms


class ScriptedRooms:
    """Plays rooms as `play_room` does: what this raises loses a room, as the death of a worker would."""

    free = 1
    load: tuple[WorkerLoad, ...] = ()

    def __init__(
        self,
        play_room: PlayRoom = rooms.play_room,
        *,
        news: Mapping[str, Sequence[Report]] | None = None,
        summary: tuple[str, ...] = (),
        last_first: bool = False,
    ) -> None:
        """`news` is reported before each attempt at the room of that name."""
        self.summary = summary
        self.places: list[Workplace] = []
        self._play_room = play_room
        self._news = news or {}
        self._last_first = last_first
        self._waiting: deque[RoomTask] = deque()

    @contextmanager
    def make(self, place: Workplace) -> Iterator[ScriptedRooms]:
        """Takes what an executor must know; see `MakeExecutor`."""
        self.places.append(place)
        self._waiting.clear()
        yield self

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """Tells the room that is next, as spectators might see it."""
        return tuple(task.room for task in self._waiting)[:1]

    def submit(self, room: RoomSpec) -> None:
        self._waiting.append(RoomTask(room))

    def reports(self, timeout: float | None = None) -> list[Report]:
        if (stop := self.places[-1].stop) and stop.asked:
            raise KeyboardInterrupt
        task = self._waiting.pop() if self._last_first else self._waiting.popleft()
        brief = self.places[-1].brief(task.room)
        answer = asyncio.run(play_or_fail(self._play_room(brief)))
        report: Report
        if isinstance(answer, Failed):
            report, again = task.lost(answer.reason, answer.away)
        else:
            report, again = task.played(answer.outcomes)
        if again:
            self._waiting.appendleft(again)
        return [*self._news.get(task.room.room, ()), report]
