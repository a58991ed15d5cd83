"""Serves a ladder step by step, with rooms that need no bots and a clock that stands still until it is moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from datetime import datetime
from typing import ParamSpec, TypeVar

from bourre_referee.ladder.host.board_file import BoardFile
from bourre_referee.ladder.host.board_keeper import BoardKeeper
from bourre_referee.ladder.host.host_vitals import HostVitals
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import LadderHost
from bourre_referee.ladder.host.ladder_terms import epoch_terms, terms_set
from bourre_referee.ladder.host.open_epochs import GameReader, OpenEpochs, open_epochs
from bourre_referee.ladder.host.rooms_in_play import RoomMaker, RoomsInPlay
from bourre_referee.ladder.host.showing import SHOW_EVERY, Notices, Showing
from bourre_referee.ladder.log.events import Event
from bourre_referee.ladder.notices.owner_notices import OwnerNotice, OwnerNotices
from bourre_referee.model.spec import Isolation, MatchOutcome, MatchSpec, RoomSpec
from bourre_referee.runner.room_reports import ATTEMPTS, Report, RoomLost, RoomPlayed, WorkerLoad
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting
from tests.referee.ladder.host.ladder_folders import FILE, NOW, STAFF
from tests.referee.realistic_rooms import played

P = ParamSpec("P")
R = TypeVar("R")
SHORT_EPOCHS = f"{FILE}[epoch]\nrooms = 4\n{STAFF}"


class AtOnce(Executor):
    """Computes a refit when it is asked for."""

    def submit(self, work: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> Future[R]:
        done: Future[R] = Future()
        done.set_result(work(*arguments, **named))
        return done


class Rooms:
    """Plays every room at once, unless it fails."""

    def __init__(self, play: Callable[[MatchSpec], MatchOutcome]) -> None:
        self.free = 1
        self.fails = False
        self.broken = ""
        """The bot with which every room fails."""
        self.away = ""
        """The bot that leaves whenever a room is to begin."""
        self.stuck = False
        self.come: list[Report] = []
        self.summary: tuple[str, ...] = ()
        self.load: tuple[WorkerLoad, ...] = ()
        self.in_play: tuple[RoomSpec, ...] = ()
        self.seen: list[RoomSpec] = []
        self._play = play
        self._waiting: list[RoomSpec] = []

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    def submit(self, room: RoomSpec) -> None:
        self.seen.append(room)
        self._waiting.append(room)

    def reports(self, timeout: float | None = None) -> list[Report]:
        reports, self.come = self.come, []
        if not self.stuck:
            for room in self._waiting:
                reports += self._reports_of(room)
            self._waiting.clear()
        return reports

    def _reports_of(self, room: RoomSpec) -> list[Report]:
        bots = {entry.name.partition(".")[0] for entry in room.entries}
        if self.away in bots:
            return [RoomLost(room, 1, f"{self.away} left before it began", (self.away,))]
        if self.fails or self.broken in bots:
            return [RoomLost(room, attempt, "no memory") for attempt in range(1, ATTEMPTS + 1)]
        return [RoomPlayed(room, 1, (self._play(room.matches[0]),))]


class Host:
    """A process that serves a ladder."""

    def __init__(
        self,
        ladder: LadderFolder,
        epochs: OpenEpochs,
        play: Callable[[MatchSpec], MatchOutcome],
        kept: BoardFile | None = None,
        patience: Waiting = AT_ONCE,
    ) -> None:
        self.now = NOW
        self.rooms = Rooms(play)
        self.told: list[str] = []
        self.dismissed: list[str] = []
        settings, log = ladder.settings(), ladder.open_log(lambda: NOW)
        with log.appending() as tail:
            if tail.state.terms_set != (now_set := terms_set(settings)):
                tail.append(now_set)
        maker = RoomMaker(settings, Isolation(), ladder.files_of)
        self.boards = BoardKeeper(settings, GameReader(ladder, patience).read, AtOnce())
        tell, dismiss, now = self.told.append, self.dismissed.append, self._now
        rooms = RoomsInPlay(epochs, maker, self.rooms, now, tell)
        self.vitals = HostVitals(now)
        self.notices: list[OwnerNotice] = []
        notices = OwnerNotices(ladder.notices, self.notices.append, now)
        self._host = LadderHost(
            settings.epoch, log, epochs, maker, rooms, self.boards, now, tell, dismiss, self.vitals, notices
        )
        self._host.begin(kept)
        quiet = Notices(lambda bot, text: None)
        self._showing = Showing(ladder, log, settings.contest.name, self.boards, quiet, now)

    def _now(self) -> datetime:
        return self.now

    def show(self) -> None:
        """Shows how the ladder stands, after a while."""
        self.now += SHOW_EVERY
        self._showing.show()

    def steps(self, number: int) -> None:
        for _ in range(number):
            self._host.step()


@contextmanager
def host(
    ladder: LadderFolder,
    play: Callable[[MatchSpec], MatchOutcome] = played,
    kept: BoardFile | None = None,
    patience: Waiting | None = None,
) -> Iterator[Host]:
    settings = ladder.settings()
    with open_epochs(ladder, settings.contest.name, epoch_terms(settings), patience) as epochs:
        yield Host(ladder, epochs, play, kept, patience or AT_ONCE)


def events(ladder: LadderFolder) -> list[Event]:
    return [logged.event for logged in ladder.open_log().read_new()]


def count(ladder: LadderFolder, kind: type[Event]) -> int:
    return sum(isinstance(event, kind) for event in events(ladder))
