"""What the host of a ladder measures of itself. It notes this after each step, and another thread reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime

from bourre_referee.ladder.host.rooms_in_play import RoomCounts, RoomsInPlay, room_name
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import RoomFinished, RoomPaired, RoomVoided
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.runner.room_reports import WorkerLoad


@dataclass(frozen=True, slots=True)
class StepVitals:
    """A ladder at the end of a step of its host. All times are by the host's clock."""

    at: datetime
    rooms: Mapping[str, int]
    """The number of open rooms by state: `waiting`, `playing`, or `overrunning` if it lasts too long to wait for."""
    oldest_room: datetime | None
    """When the oldest open room was paired."""
    usual_room_s: float
    """The usual length of a room, in seconds; 0 if unknown."""
    bots: Mapping[str, int]
    """The number of bots by state: `waiting`, `playing`, `suspended` or `away`. Retired bots and staff do not count."""
    waiting_since: datetime | None
    """When the bot that waits longest began to wait."""
    last_match: datetime | None
    """When the last room was finished."""
    counts: RoomCounts
    workers: tuple[WorkerLoad, ...]


class HostVitals:
    """The vitals of one host. One thread notes them, and others read `step`."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.step: StepVitals | None = None
        """The last step; None before the first."""
        self.leads = False
        """Whether the host leads. If another one does, it stands by."""
        self._now = now
        self._paired: dict[int, datetime] = {}
        """When each open room was paired, by number."""
        self._waiting: dict[str, datetime] = {}
        """Since when each waiting bot waits."""
        self._last_match: datetime | None = None

    def hear(self, news: Iterable[Logged]) -> None:
        """Follows the log."""
        for logged in news:
            match logged.event:
                case RoomPaired(room=room):
                    self._paired[room] = datetime.fromisoformat(logged.at)
                case RoomFinished(room=room):
                    self._paired.pop(room, None)
                    self._last_match = datetime.fromisoformat(logged.at)
                case RoomVoided(room=room):
                    self._paired.pop(room, None)

    def note(self, state: LadderState, rooms: RoomsInPlay) -> None:
        """Notes a step that has ended."""
        now = self._now()
        waiting = {bot for each in state.lists.values() for bot in each.all_waiting()}
        self._waiting = {bot: self._waiting.get(bot, now) for bot in waiting}
        self.step = StepVitals(
            at=now,
            rooms=_rooms_by_state(state, rooms),
            oldest_room=min(self._paired.values(), default=None),
            usual_room_s=max((each.lengths.usual_ms for each in state.lists.values()), default=0) / 1000,
            bots=_bots_by_state(state, waiting),
            waiting_since=min(self._waiting.values(), default=None),
            last_match=self._last_match,
            counts=deepcopy(rooms.counts),
            workers=rooms.load,
        )


def _rooms_by_state(state: LadderState, rooms: RoomsInPlay) -> Mapping[str, int]:
    played, overran = rooms.in_play, rooms.overran
    found = Counter({"waiting": 0, "playing": 0, "overrunning": 0})
    for number in state.rooms:
        is_played = room_name(number) in played
        found["overrunning" if number in overran else "playing" if is_played else "waiting"] += 1
    return found


def _bots_by_state(state: LadderState, waiting: set[str]) -> Mapping[str, int]:
    found = Counter({"waiting": 0, "playing": 0, "suspended": 0, "away": 0})
    for bot in state.bots.values():
        if not (bot.retired or bot.joined.staff):
            is_out = "suspended" if bot.benched is not None else "away"
            found["playing" if bot.room is not None else "waiting" if bot.bot in waiting else is_out] += 1
    return found
