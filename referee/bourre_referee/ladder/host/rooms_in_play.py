"""The rooms in play of a ladder: an executor plays them, their epoch stores them, and then the log gets them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from bourre.rules.actions import Fault
from bourre_referee.ladder.host.bot_copy import files_changed, watched_copy
from bourre_referee.ladder.host.ladder_entries import bot_spec
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.host.open_epochs import OpenEpochs
from bourre_referee.ladder.host.pacing import FailedRooms
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import Event, RoomFinished, RoomOverran, RoomVoided
from bourre_referee.ladder.log.seasons import OpenRoom
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.notices.owner_notices import REFUSED, BotTrouble
from bourre_referee.model.spec import Isolation, MatchSpec, RoomSpec, SeatFault
from bourre_referee.runner.executor import Executor
from bourre_referee.runner.room_reports import (
    RefusedHellos,
    RemotePresence,
    Report,
    RoomLost,
    RoomPlayed,
    WorkerLoad,
    WorkerNews,
)
from bourre_referee.runner.watched_files import WatchedFiles
from bourre_referee.storage.run.manifest import Terms

BEAT_S = 0.25
"""The longest wait for reports, so that the log is read again."""

WORTH_WAITING_MS = 30_000
"""How long others wait for any room, however short the usual ones are: so long bots may need to come back."""

STOPPED = "the host was stopped before it could log why"
"""The reason for a room that was given up but not logged as void."""


@dataclass(slots=True)
class PlayedRoom:
    """A room that the executor plays."""

    number: int
    room: OpenRoom
    began: datetime
    """When the executor got it."""
    overran: bool = False
    """Whether the log says that other bots no longer wait for it."""


def room_name(number: int) -> str:
    """Returns the name of the room with this number, as executors and logs know it."""
    return f"room{number:06}"


class RoomMaker:
    """Makes the tasks of one ladder."""

    def __init__(self, settings: LadderSettings, isolation: Isolation, files_of: Callable[[str, int], Path]) -> None:
        """`isolation` is for bots without their own setting. `files_of` returns the folder of a version."""
        self._settings = settings
        self._isolation = isolation
        self._files_of = files_of
        self._watched: dict[str, WatchedFiles] = {}
        """The files of each version that has played."""

    def changed_bots(self, line_up: Iterable[LadderEntrant]) -> dict[str, str]:
        """Returns the bots whose files changed since they joined, each with the changes in one line."""
        changes = ((entrant.bot, self._watch(entrant).changes()) for entrant in line_up if entrant.joined.hosted)
        return {bot: files_changed(found) for bot, found in changes if found}

    def _watch(self, entrant: LadderEntrant) -> WatchedFiles:
        if entrant.name not in self._watched:
            folder = self._files_of(entrant.bot, entrant.joined.number)
            self._watched[entrant.name] = watched_copy(entrant.joined.files, folder)
        return self._watched[entrant.name]

    def make(self, number: int, room: OpenRoom, match: MatchSpec, terms: Terms) -> RoomSpec:
        """Returns the task of playing this match of an epoch with these terms in the room with this number."""
        return RoomSpec(
            room=room_name(number),
            entries=tuple(bot_spec(entrant, self._settings) for entrant in room.line_up),
            matches=(match,),
            tables=1,
            clock=terms.clock,
            max_faults=terms.max_faults,
            isolation=self._isolation,
        )


@dataclass(slots=True)
class RoomCounts:
    """What has happened in the rooms of a host since it began."""

    finished: int = 0
    lost: int = 0
    """The failed attempts, which are played again."""
    voids: Counter[str] = field(default_factory=Counter)
    """Void rooms by cause: `bots away`, `files changed` or `host`."""
    faults: Counter[str] = field(default_factory=Counter)
    """Faults of bots by kind."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Refused hellos by kind."""


class RoomsInPlay:
    """Gets rooms played. A room is void if its bots' files changed, or if the host fails it."""

    def __init__(
        self,
        epochs: OpenEpochs,
        maker: RoomMaker,
        executor: Executor,
        now: Callable[[], datetime],
        tell: Callable[[str], None],
    ) -> None:
        """`tell` gets lost rooms and dead processes."""
        self.here: frozenset[str] = frozenset()
        """The remote bots that are connected."""
        self.counts = RoomCounts()
        """What has happened in rooms since this host began."""
        self._seen: frozenset[str] = frozenset()
        """The remote bots that connected since this host began."""
        self._epochs = epochs
        self._maker = maker
        self._executor = executor
        self._now = now
        self._tell = tell
        self._rooms: dict[str, PlayedRoom] = {}
        self._failed = FailedRooms(tell)
        self._troubles: list[BotTrouble] = []
        self._ends: list[Event] = []
        """The events to log next."""

    @property
    def free(self) -> int:
        """The number of rooms that may begin."""
        return max(0, self._executor.free - self._failed.slots)

    @property
    def in_play(self) -> frozenset[str]:
        """The names of the rooms that are played at this moment."""
        return frozenset(room.room for room in self._executor.in_play)

    @property
    def overran(self) -> frozenset[int]:
        """The numbers of the open rooms that last too long to wait for."""
        return frozenset(room.number for room in self._rooms.values() if room.overran)

    @property
    def load(self) -> tuple[WorkerLoad, ...]:
        """The work of each worker."""
        return self._executor.load

    def go_on(self, rooms: Mapping[int, OpenRoom]) -> None:
        """Plays the open rooms of a stopped host, unless their ends are stored."""
        for number, room in rooms.items():
            if end := self._epochs.end_of(number, room.place, STOPPED):
                self._ends.append(end)
            else:
                self.begin(number, room)

    def begin(self, number: int, room: OpenRoom) -> None:
        """Starts a room."""
        run = self._epochs.at(room.place)
        spec = self._maker.make(number, room, run.spec(room.place.match), run.manifest.terms)
        self._rooms[spec.room] = PlayedRoom(number, room, self._now())
        if not self._void_changed(spec.room):
            self._executor.submit(spec)

    def ended(self) -> list[Event]:
        """Returns the ends of rooms since the last call. Their matches are stored."""
        for name, reason in self._failed.over(self._now()):
            self._void(name, reason, "host")
        if self._ends:
            self._epochs.settle()
        ends, self._ends = self._ends, []
        return ends

    def take_troubles(self) -> list[BotTrouble]:
        """Returns the troubles of bots since the last call."""
        taken, self._troubles = self._troubles, []
        return taken

    def overrun(self, state: LadderState) -> Iterator[RoomOverran]:
        """Yields, once for each, the rooms that have lasted too long to wait for."""
        now = self._now()
        for room in self._rooms.values():
            lengths, took_ms = state.lists[room.room.clock_class].lengths, _milliseconds(now - room.began)
            if not room.overran and took_ms > WORTH_WAITING_MS and lengths.is_overlong(took_ms):
                room.overran = True
                yield RoomOverran(room.number)

    def wait(self) -> None:
        """Waits a moment for what happens next."""
        for report in self._executor.reports(BEAT_S):
            self._take(report)

    def _take(self, report: Report) -> None:
        if isinstance(report, RemotePresence):
            self.here = report.here
            self._seen |= report.here
            self._count_refused(report.refused)
            return
        if isinstance(report, WorkerNews):
            self._tell(report.text)
            return
        name = report.room.room
        if isinstance(report, RoomPlayed) and not self._void_changed(name):
            self._finish(self._rooms[name], report)
        elif isinstance(report, RoomLost) and report.away:
            left = tuple(bot for bot in report.away if bot in self._seen)
            self._void(name, report.reason, "bots away", left)
        elif isinstance(report, RoomLost):
            self._lose(name, report.reason, is_last=report.is_last)
            if report.is_last:
                self._failed.hold(name, report.reason, self._now())

    def _finish(self, room: PlayedRoom, played: RoomPlayed) -> None:
        self._failed.forgive()
        (outcome,) = played.outcomes
        self.counts.finished += 1
        self._count_faults(room, outcome.faults)
        self._epochs.at(room.room.place).take(outcome)
        took_ms = _milliseconds(self._now() - room.began)
        thought_ms = tuple(int(seat.total_ms) for seat in outcome.timings)
        self._end(played.room.room, RoomFinished(room.number, 1, took_ms, thought_ms))

    def _count_faults(self, room: PlayedRoom, faults: Iterable[SeatFault]) -> None:
        for fault in faults:
            self.counts.faults[fault.fault.value] += fault.times
            if fault.fault is Fault.START_FAILURE:
                reason = f"in room {room.number}, and the first line of its log says why"
                bot = room.room.line_up[fault.seat].name
                self._troubles.append(BotTrouble(bot, "failed to start", reason))

    def _count_refused(self, refused: Iterable[RefusedHellos]) -> None:
        for kind, bot, times in refused:
            self.counts.refusals[kind] += times
            if bot and kind in REFUSED:
                self._troubles.append(BotTrouble(bot, "refused", REFUSED[kind]))

    def _void_changed(self, name: str) -> bool:
        """Voids a room if the files of one of its bots changed, and returns whether it did."""
        changed = self._maker.changed_bots(self._rooms[name].room.line_up)
        for bot, why in list(changed.items())[:1]:
            self._lose(name, f"{bot}: {why}", is_last=True)
            self._void(name, f"{bot}: {why}", "files changed")
        return bool(changed)

    def _lose(self, name: str, reason: str, *, is_last: bool) -> None:
        room = self._rooms[name]
        self.counts.lost += 1
        self._epochs.at(room.room.place).lose(room.room.place.match, reason)
        self._tell(f"room {room.number} is {'void' if is_last else 'played again'}: {reason}")

    def _void(self, name: str, reason: str, cause: str, left: tuple[str, ...] = ()) -> None:
        """Gives a room up. The bots that `left` before it began are held responsible."""
        self.counts.voids[cause] += 1
        room = self._rooms[name]
        self._epochs.at(room.room.place).give_up(room.room.place.match)
        self._end(name, RoomVoided(room.number, reason, left))

    def _end(self, name: str, event: Event) -> None:
        del self._rooms[name]
        self._ends.append(event)


def _milliseconds(time: timedelta) -> int:
    """Returns a duration; 0 if the host's clock was set back."""
    return max(0, time // timedelta(milliseconds=1))
