"""The rooms with remote bots: which wait, which are in play at the door, and which may begin."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from bourre_referee.model.listener_spec import AWAY_SECONDS, RETURN_SECONDS, remote_bots
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotsAway, RoomSpec
from bourre_referee.runner.remote_process import DoorProcess
from bourre_referee.runner.remote_worker import BotChanged, RemoteRoomAnswer, RemoteTrouble
from bourre_referee.runner.room_reports import Report, RoomTask, WorkerNews
from bourre_referee.runner.worker_main import Failed

_MOST_ANSWERS = 1000
"""How many messages of the door are read at a time: many come when a crowd of bots does."""


class DoorRooms:
    """Hands rooms to the door as their remote bots become free: a bot sits in one room at a time."""

    def __init__(self, door: DoorProcess, site: Site, now: Callable[[], float] = monotonic) -> None:
        """The door is on this machine, and so is the `site` of its rooms."""
        self._door = door
        self._now = now
        self._opened = now()
        self._dismissed: set[str] = set()
        self._site = site
        self._waiting: deque[RoomTask] = deque()
        self._playing: dict[int, RoomTask] = {}
        """The tasks in play, by the number of the answer that is awaited."""

    def submit(self, room: RoomSpec) -> None:
        """Queues a room with remote bots."""
        self._waiting.append(RoomTask(room, since=self._now()))

    def dismiss(self, bot: str) -> None:
        """Gives back at once the rooms that have not begun if this bot is away: it will not play any more."""
        self._dismissed.add(bot)

    @property
    def busy(self) -> bool:
        """Whether a room waits or is in play."""
        return bool(self._waiting or self._playing)

    @property
    def in_play(self) -> tuple[RoomSpec, ...]:
        """The rooms in play."""
        return tuple(task.room for task in self._playing.values())

    @property
    def jobs(self) -> int:
        """How many rooms in play start bots on this machine."""
        return sum(_is_mixed(task.room) for task in self._playing.values())

    @property
    def wanted(self) -> int:
        """How many rooms that wait will start bots on this machine."""
        return sum(_is_mixed(task.room) for task in self._waiting)

    @property
    def pipe(self) -> Connection[Any, Any]:
        """What becomes readable when the door has something to say."""
        return self._door.pipe

    def hand_out(self, free: int, wanted: int, brief: Callable[[RoomSpec], RoomSpec]) -> None:
        """Hands over what `brief` makes of every room that may begin; of the `free` jobs others want this many.

        A mixed room whose remote bots are all here may take the last job. One that has to wait for a bot leaves jobs to
        rooms that do not.
        """
        free -= self.jobs
        spare = max(0, free - wanted)
        waiting = [task for task in self._waiting if not (self._door.is_ladder and self._away(task))]
        for task in choose(waiting, self._playing.values(), self._door.here, free, spare, self._door.lines):
            self._waiting.remove(task)
            self._playing[self._door.give(self._site.place(brief(task.room)))] = task

    def reports(self, has_answer: bool) -> list[Report]:
        """Returns all that the door reports, or that it died or hangs; another one then takes its place.

        On a ladder, rooms whose bots have been away for too long are given back.
        """
        return [*self._reports(has_answer), *self._deserted()]

    def _reports(self, has_answer: bool) -> list[Report]:
        if not has_answer:
            return self._lose_all(self._door.replace_hanging()) if self._door.hangs() else []
        reports: list[Report] = []
        for _ in range(_MOST_ANSWERS):
            answer = self._door.answer()
            if answer is None:
                return [*reports, *self._lose_all(self._door.replace_dead())]
            reports += self._reports_of(answer)
            if not self._door.pipe.poll():
                break
        return reports

    def _reports_of(self, answer: object) -> list[Report]:
        if isinstance(answer, RemoteRoomAnswer):
            return [self._take(self._playing.pop(answer.number), answer)]
        if isinstance(answer, BotChanged):
            return [self._door.attendance(f"{answer.bot} {'is here' if answer.here else 'left'}")]
        return [self._door.attendance(answer.text)] if isinstance(answer, RemoteTrouble) else []

    def _take(self, task: RoomTask, answer: RemoteRoomAnswer) -> Report:
        """Queues what is left of a room, or the whole room if it failed."""
        if isinstance(answer.answer, Failed):
            lost, again = task.lost(answer.answer.reason, answer.answer.away)
            if again:
                self._waiting.appendleft(again)
            return lost
        played, left = task.played(answer.answer.outcomes)
        if left:
            self._waiting.appendleft(left)
        return played

    def _deserted(self) -> list[Report]:
        """Gives back the rooms of a ladder that have waited long enough for bots that are away."""
        if not self._door.is_ladder:
            return []
        now = self._now()
        over = [
            (task, away)
            for task in self._waiting
            if (away := self._away(task))
            and (now >= max(task.since + AWAY_SECONDS, self._patient_until(away)) or self._dismissed.intersection(away))
        ]
        self._dismissed.clear()
        for task, _ in over:
            self._waiting.remove(task)
        return [task.lost(str(BotsAway(away)), away)[0] for task, away in over]

    def _patient_until(self, away: tuple[str, ...]) -> float:
        """Returns until when those are awaited who have not been seen at this door yet."""
        return 0.0 if self._door.seen.issuperset(away) else self._opened + RETURN_SECONDS

    def _away(self, task: RoomTask) -> tuple[str, ...]:
        """Returns the remote bots of a room that are not here."""
        return tuple(bot for bot in self._door.lines(task.room) if bot not in self._door.here)

    def _lose_all(self, reason: str) -> list[Report]:
        self._opened = self._now()
        lost = [task.lost(reason) for task in self._playing.values()]
        self._playing.clear()
        self._waiting.extendleft(again for _, again in reversed(lost) if again)
        news = WorkerNews(f"{reason}: another one has opened at the same port")
        return [news, *(report for report, _ in lost), self._door.attendance("")]


def choose(
    waiting: Iterable[RoomTask],
    playing: Iterable[RoomTask],
    here: Iterable[str],
    free: int,
    spare: int,
    lines: Callable[[RoomSpec], tuple[str, ...]] = remote_bots,
) -> list[RoomTask]:
    """Returns the rooms that may begin, those whose remote bots are all here first, otherwise in order.

    `free` is the number of jobs for mixed rooms, `spare` of those that no other room wants. `lines` are the remote bots
    of a room by the names that they have at the door.
    """
    present = frozenset(here)
    busy = {bot for task in playing for bot in lines(task.room)}
    chosen: list[RoomTask] = []
    for task in sorted(waiting, key=lambda task: not present.issuperset(lines(task.room))):
        bots = lines(task.room)
        if busy.intersection(bots):
            continue
        if _is_mixed(task.room):
            if (free if present.issuperset(bots) else spare) < 1:
                continue
            free, spare = free - 1, spare - 1
        busy.update(bots)
        chosen.append(task)
    return chosen


def _is_mixed(room: RoomSpec) -> bool:
    return len(remote_bots(room)) < len(room.entries)
