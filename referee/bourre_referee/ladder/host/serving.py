"""Serves a ladder: hears its log, calls rooms, has them played, stores them, and opens and closes epochs.

The log is the truth. A room is called there before anything else knows of it; what was called and is neither stored
nor void is played again after a crash, with the same bots, seats and cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from bourre_referee.ladder.host.arrivals import Arrivals
from bourre_referee.ladder.host.board_file import BoardFile
from bourre_referee.ladder.host.board_keeper import BoardKeeper
from bourre_referee.ladder.host.failed_rooms import FailedRooms
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.host.open_epochs import OpenEpochs
from bourre_referee.ladder.host.room_maker import RoomMaker
from bourre_referee.ladder.log.epoch import Epoch, Place
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotBenched,
    BotLeft,
    Event,
    RoomFinished,
    RoomOverran,
    RoomPaired,
    RoomVoided,
    SeasonOpened,
)
from bourre_referee.ladder.log.shared_log import SharedLog, Tail
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.pairing.matchmaking import pair
from bourre_referee.runner.executor import Executor
from bourre_referee.runner.room_reports import Attendance, Report, RoomLost, RoomPlayed, WorkerNews

BEAT_S = 0.25
"""How often the log is looked at, if nothing else happens."""


@dataclass(slots=True)
class PlayedRoom:
    """A room that the executor has."""

    number: int
    place: Place
    """Where its match is stored."""
    began: datetime
    """When the executor got it."""
    overran: bool = False
    """Whether the log says that it holds up nobody any more."""


class Serving:
    """Serves a ladder, to whose log others may append meanwhile: `begin` it, then call `step` again and again."""

    def __init__(
        self,
        settings: LadderSettings,
        log: SharedLog,
        epochs: OpenEpochs,
        maker: RoomMaker,
        executor: Executor,
        boards: BoardKeeper,
        now: Callable[[], datetime],
        tell: Callable[[str], None] = lambda text: None,
        dismiss: Callable[[str], None] = lambda bot: None,
    ) -> None:
        """`tell` gets what the host should know: rooms that were lost, and processes that died.

        `dismiss` gets each remote bot for which no room is to wait any more.
        """
        self._settings = settings
        self._log = log
        self._epochs = epochs
        self._maker = maker
        self._executor = executor
        self._boards = boards
        self._now = now
        self._tell = tell
        self._dismiss = dismiss
        self._epoch_began = now()
        self._here: frozenset[str] = frozenset()
        """The remote bots that are connected."""
        self._seen: frozenset[str] = frozenset()
        """Those that were since this host began."""
        self._arrivals = Arrivals()
        self._rooms: dict[str, PlayedRoom] = {}
        """The rooms that the executor has, by name."""
        self._failed = FailedRooms(tell)
        self._news: list[Event] = []
        """What is to be logged next."""

    def begin(self, kept: BoardFile | None = None) -> None:
        """Goes on where the last process ended, however it did, with the board that it has kept."""
        with self._log.appending() as tail:
            for entrant in list(tail.state.bots.values()):
                if entrant.present:
                    tail.append(BotLeft(entrant.bot))
        self._boards.hear_past(self._log.read_new(), kept)
        state = self._log.state
        for epoch in unclosed(state):
            self._epochs.resume(epoch)
        for number, room in state.rooms.items():
            if room.place.match in self._epochs.at(room.place).finished():
                self._news.append(RoomFinished(number, games=1))
            else:
                self._submit(number)

    def step(self) -> None:
        """Logs what happened, calls the rooms that can begin, and waits a moment for what happens next."""
        for name, reason in self._failed.over(self._now()):
            self._void(name, reason)
        if self._news:
            self._epochs.settle()  # the log says only of what is stored that it is finished
        with self._log.appending() as tail:
            for event in (*self._news, *self._changes_of_presence(tail.state), *self._boards.events(self._now())):
                tail.append(event)
            self._excuse_rooms(tail)
            self._turn_epochs(tail)
            called = list(self._call_rooms(tail))
        self._news.clear()
        # Before more is read: whoever has taken over may have logged what this host knows nothing of.
        if called and (epoch := self._log.state.seasons.current):
            self._epochs.list_rooms(epoch)
        for room in called:
            self._submit(room)
        self._boards.hear(self._log.read_new())
        self._dismiss_stopped()
        for report in self._executor.reports(BEAT_S):
            self._take(report)

    def _changes_of_presence(self, state: LadderState) -> Iterator[Event]:
        """Yields who came, but for those who come too often, and who left.

        Hosted bots are there as long as the ladder is served.
        """
        for entrant in state.bots.values():
            here = not entrant.retired and (entrant.joined.hosted or entrant.bot in self._here)
            if here and not entrant.present and not entrant.joined.hosted:
                here = self._arrivals.admit(entrant.bot, self._now())
            if here != entrant.present:
                yield BotArrived(entrant.bot) if here else BotLeft(entrant.bot)

    def _dismiss_stopped(self) -> None:
        """Lets no room wait for a bot that was retired or benched, or has a new version."""
        for room in self._log.state.rooms.values():
            for entrant in room.line_up:
                if entrant.retired or entrant.benched is not None:
                    self._dismiss(entrant.bot)

    def _excuse_rooms(self, tail: Tail) -> None:
        """Logs which rooms have lasted so long that they hold up nobody any more."""
        now = self._now()
        for room in self._rooms.values():
            playing = tail.state.rooms.get(room.number)
            if playing is None or room.overran:
                continue
            lengths = tail.state.lists[playing.line_up[0].joined.clock_class].lengths
            if lengths.is_overlong(_milliseconds(now - room.began)):
                room.overran = True
                tail.append(RoomOverran(room.number))

    def _turn_epochs(self, tail: Tail) -> None:
        """Opens the next epoch if it is time, and closes those before it whose last room is over."""
        if not tail.state.seasons.last:
            tail.append(SeasonOpened(1))
        if self._is_time(tail.state):
            self._epoch_began = self._now()
            tail.append(self._epochs.opened(tail.state.epoch + 1))
        for epoch in unclosed(tail.state)[:-1]:
            if not any(room in epoch for room in tail.state.rooms):
                tail.append(self._epochs.close(epoch))

    def _is_time(self, state: LadderState) -> bool:
        """Whether the current epoch has had its rooms or its hours, or belongs to the last season."""
        current, terms = state.seasons.current, self._settings.epoch
        if current is None or current.season != state.seasons.last:
            return True
        return current.rooms >= terms.rooms or (
            current.rooms > 0 and self._now() - self._epoch_began >= timedelta(hours=terms.hours)
        )

    def _call_rooms(self, tail: Tail) -> Iterator[int]:
        """Calls as many rooms as can begin now, and yields their numbers."""
        seed, free = self._epochs.seed(tail.state.epoch), max(0, self._executor.free - self._failed.slots)
        state = tail.state
        while free and (challenge := state.challenges.next(state.bots, state.lists.values())):
            if not self._bench_changed(tail, challenge.line_up):  # else it is off
                yield _call(tail, challenge.line_up, asked_by=challenge.owner)
                free -= 1
        for clock_class in list(tail.state.lists):
            while free and (pairing := pair(tail.state, seed, clock_class)):
                if not self._bench_changed(tail, pairing.line_up):
                    yield _call(tail, pairing.line_up, rated=pairing.rated)
                    free -= 1

    def _bench_changed(self, tail: Tail, line_up: tuple[str, ...]) -> bool:
        """Benches those of a line-up whose files changed on disk, and returns whether there are any."""
        changed = self._maker.changed_bots(tail.state.bots[bot] for bot in line_up)
        for bot, why in changed.items():
            tail.append(BotBenched(bot, why, by="ladder"))
            self._tell(f"{bot} is benched: {why}; restore them and reinstate it, or add a new version")
        return bool(changed)

    def _submit(self, number: int) -> None:
        room = self._log.state.rooms[number]
        run = self._epochs.at(room.place)
        spec = self._maker.make(number, room, run.spec(room.place.match), run.manifest.terms)
        self._rooms[spec.room] = PlayedRoom(number, room.place, self._now())
        if not self._void_changed(spec.room):
            self._executor.submit(spec)

    def _take(self, report: Report) -> None:
        if isinstance(report, Attendance):
            self._here = report.here
            self._seen |= report.here
            return
        if isinstance(report, WorkerNews):
            self._tell(report.text)
            return
        name = report.room.room
        if isinstance(report, RoomPlayed) and not self._void_changed(name):
            self._finish(self._rooms[name], report)
        elif isinstance(report, RoomLost) and report.away:
            self._give_back(self._rooms[name], report)
        elif isinstance(report, RoomLost):
            self._lose(name, report.reason, is_last=report.is_last)
            if report.is_last:
                self._failed.hold(name, report.reason, self._now())

    def _finish(self, room: PlayedRoom, played: RoomPlayed) -> None:
        self._failed.forgive()
        (outcome,) = played.outcomes
        self._epochs.at(room.place).take(outcome)
        took_ms = _milliseconds(self._now() - room.began)
        thought_ms = tuple(int(seat.total_ms) for seat in outcome.timings)
        self._end(played.room.room, RoomFinished(room.number, 1, took_ms, thought_ms))

    def _give_back(self, room: PlayedRoom, lost: RoomLost) -> None:
        """Voids a room whose bots were away; those answer for it that were here since the host began."""
        self._epochs.at(room.place).give_up(room.place.match)
        left = tuple(bot for bot in lost.away if bot in self._seen)
        self._end(lost.room.room, RoomVoided(room.number, lost.reason, left))

    def _void_changed(self, name: str) -> bool:
        """Voids a room that somebody would play, or has played, with files that changed; returns whether it is so."""
        room = self._log.state.rooms[self._rooms[name].number]
        changed = self._maker.changed_bots(room.line_up)
        for bot, why in list(changed.items())[:1]:
            self._lose(name, f"{bot}: {why}", is_last=True)
            self._void(name, f"{bot}: {why}")
        return bool(changed)

    def _lose(self, name: str, reason: str, *, is_last: bool) -> None:
        room = self._rooms[name]
        self._epochs.at(room.place).lose(room.place.match, reason)
        self._tell(f"room {room.number} is {'void' if is_last else 'played again'}: {reason}")

    def _void(self, name: str, reason: str) -> None:
        room = self._rooms[name]
        self._epochs.at(room.place).give_up(room.place.match)
        self._end(name, RoomVoided(room.number, reason))

    def _end(self, name: str, event: Event) -> None:
        del self._rooms[name]
        self._news.append(event)


def _call(tail: Tail, line_up: tuple[str, ...], *, rated: bool = False, asked_by: str = "") -> int:
    """Logs the next room, and returns its number."""
    room = tail.state.rooms_paired + 1
    tail.append(RoomPaired(room, line_up, rated, asked_by))
    return room


def _milliseconds(time: timedelta) -> int:
    """Returns a length of time; 0 if the host's clock was set back meanwhile."""
    return max(0, time // timedelta(milliseconds=1))


def unclosed(state: LadderState) -> list[Epoch]:
    """Returns the epochs that are not closed, in order."""
    return [epoch for epoch in state.seasons.epochs if not epoch.closed]
