"""The rooms with remote bots: they wait, or play in the listener's process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from bourre_referee.model.listener_spec import AWAY_SECONDS, RETURN_SECONDS, remote_bots
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotsAway, RoomSpec
from bourre_referee.runner.remote_process import ListenerProcess
from bourre_referee.runner.remote_worker import BotChanged, HellosRefused, RemoteRoomAnswer, RemoteTrouble
from bourre_referee.runner.room_reports import Report, RoomTask, WorkerLoad, WorkerNews
from bourre_referee.runner.worker import Failed

_MOST_ANSWERS = 1000
"""The most messages of the listener that are read at a time. A crowd of bots causes many."""


class RemoteRooms:
    """Hands rooms to the listener as their remote bots become free. A bot plays in one room at a time."""

    def __init__(self, listener: ListenerProcess, site: Site, now: Callable[[], float] = monotonic) -> None:
        """The listener and the `site` of its rooms are on this machine."""
        self._listener = listener
        self._now = now
        self._opened = now()
        self._dismissed: set[str] = set()
        self._site = site
        self._waiting: deque[RoomTask] = deque()
        self._playing: dict[int, RoomTask] = {}
        """The tasks in play, by the number of the expected answer."""

    def submit(self, room: RoomSpec) -> None:
        """Queues a room with remote bots."""
        self._waiting.append(RoomTask(room, since=self._now()))

    def dismiss(self, bot: str) -> None:
        """Gives back the waiting rooms of this bot if it is away, because it plays no more rooms."""
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
    def load(self) -> WorkerLoad:
        """The work of the listener, which plays any number of rooms at once."""
        return WorkerLoad("listener", 0, len(self._playing), len(self._waiting))

    @property
    def jobs(self) -> int:
        """The number of rooms in play that start bots on this machine."""
        return sum(_is_mixed(task.room) for task in self._playing.values())

    @property
    def wanted(self) -> int:
        """The number of waiting rooms that will start bots on this machine."""
        return sum(_is_mixed(task.room) for task in self._waiting)

    @property
    def pipe(self) -> Connection[Any, Any]:
        """The pipe, which becomes readable when the listener sends something."""
        return self._listener.pipe

    def hand_out(self, free: int, wanted: int, brief: Callable[[RoomSpec], RoomSpec]) -> None:
        """Hands over every room that may begin, adjusted by `brief`. Other rooms want `wanted` of the `free` jobs.

        A mixed room whose remote bots are all connected may take the last job. A mixed room that waits for a bot leaves
        the jobs to other rooms.
        """
        free -= self.jobs
        spare = max(0, free - wanted)
        waiting = [task for task in self._waiting if not (self._listener.is_ladder and self._away(task))]
        for task in choose(waiting, self._playing.values(), self._listener.here, free, spare, self._listener.lines):
            self._waiting.remove(task)
            self._playing[self._listener.give(self._site.place(brief(task.room)))] = task

    def reports(self, has_answer: bool) -> list[Report]:
        """Returns the listener's reports. If it died or hangs, a new one takes its place, and a report says so.

        A ladder gets rooms back whose bots have been away for too long.
        """
        return [*self._reports(has_answer), *self._deserted()]

    def _reports(self, has_answer: bool) -> list[Report]:
        if not has_answer:
            return self._lose_all(self._listener.replace_hanging()) if self._listener.hangs() else []
        reports: list[Report] = []
        for _ in range(_MOST_ANSWERS):
            answer = self._listener.answer()
            if answer is None:
                return [*reports, *self._lose_all(self._listener.replace_dead())]
            reports += self._reports_of(answer)
            if not self._listener.pipe.poll():
                break
        return reports

    def _reports_of(self, answer: object) -> list[Report]:
        if isinstance(answer, RemoteRoomAnswer):
            return [self._take(self._playing.pop(answer.number), answer)]
        if isinstance(answer, BotChanged):
            return [self._listener.presence(f"{answer.bot} {'connected' if answer.here else 'left'}")]
        if isinstance(answer, HellosRefused):
            return [replace(self._listener.presence(""), refused=answer.refused)] if self._listener.is_ladder else []
        return [WorkerNews(answer.text)] if isinstance(answer, RemoteTrouble) else []

    def _take(self, task: RoomTask, answer: RemoteRoomAnswer) -> Report:
        """Queues the unplayed rest of a room, or the whole room if it failed."""
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
        """Gives back the rooms of a ladder that waited long enough for absent bots."""
        if not self._listener.is_ladder:
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
        """Returns until when rooms wait for bots that have not connected to this listener yet."""
        return 0.0 if self._listener.seen.issuperset(away) else self._opened + RETURN_SECONDS

    def _away(self, task: RoomTask) -> tuple[str, ...]:
        """Returns the remote bots of a room that are not connected."""
        return tuple(bot for bot in self._listener.lines(task.room) if bot not in self._listener.here)

    def _lose_all(self, reason: str) -> list[Report]:
        self._opened = self._now()
        lost = [task.lost(reason) for task in self._playing.values()]
        self._playing.clear()
        self._waiting.extendleft(again for _, again in reversed(lost) if again)
        news = WorkerNews(f"{reason}: a new one has opened at the same port")
        return [news, *(report for report, _ in lost), self._listener.presence("")]


def choose(
    waiting: Iterable[RoomTask],
    playing: Iterable[RoomTask],
    here: Iterable[str],
    free: int,
    spare: int,
    lines: Callable[[RoomSpec], tuple[str, ...]] = remote_bots,
) -> list[RoomTask]:
    """Returns the rooms that may begin, in order, but first those whose remote bots are all connected.

    `free` is the number of jobs for mixed rooms, `spare` the number that no other room wants. `lines` returns the
    remote bots of a room by the names that the listener uses.
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
