"""`bourre ladder start`: one process leads. The listener, the workers, the refits and the pages have their own.

The log is authoritative: it has each room before any other part of the ladder. After a crash, rooms in the log that are
neither stored nor void are played again, with the same bots, seats and cards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta

from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.contest.isolation_choice import Tell
from bourre_referee.ladder.host.board_file import BoardFile, read_board
from bourre_referee.ladder.host.board_keeper import BoardKeeper
from bourre_referee.ladder.host.host_vitals import HostVitals
from bourre_referee.ladder.host.joining import enter_staff
from bourre_referee.ladder.host.ladder_entries import isolation_here
from bourre_referee.ladder.host.ladder_file import EpochEnd, LadderSettings
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_terms import epoch_terms, terms_set
from bourre_referee.ladder.host.open_epochs import GameReader, OpenEpochs, open_epochs
from bourre_referee.ladder.host.pacing import Arrivals
from bourre_referee.ladder.host.rooms_in_play import RoomMaker, RoomsInPlay
from bourre_referee.ladder.host.showing import Notices, Showing
from bourre_referee.ladder.log.events import BotArrived, BotBenched, BotLeft, Event, RoomPaired, SeasonOpened
from bourre_referee.ladder.log.shared_log import SharedLog, Tail, utc_now
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import pair
from bourre_referee.ladder.notices.notice_sender import MailServer, NoticeSender
from bourre_referee.ladder.notices.owner_notices import OwnerNotices
from bourre_referee.model.listener_spec import ListenerSpec
from bourre_referee.runner.disk_watch import DiskWatch
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.interrupt import InterruptibleWait, Stop
from bourre_referee.runner.remote_process import open_at_known_port
from bourre_referee.runner.remote_rooms import RemoteRooms
from bourre_referee.runner.temp_dir import temp_dir
from bourre_referee.storage.files.process_pool import TendedExecutor


class LadderHost:
    """Pairs the rooms of a ladder, and opens and closes its epochs. Call `begin` once, then `step` repeatedly.

    Other processes may append to the log at the same time.
    """

    def __init__(
        self,
        terms: EpochEnd,
        log: SharedLog,
        epochs: OpenEpochs,
        maker: RoomMaker,
        rooms: RoomsInPlay,
        boards: BoardKeeper,
        now: Callable[[], datetime],
        tell: Callable[[str], None],
        dismiss: Callable[[str], None],
        vitals: HostVitals,
        notices: OwnerNotices,
    ) -> None:
        """`tell` gets messages for the host. `dismiss` gets each remote bot for which no room should wait."""
        self._terms = terms
        self._log = log
        self._epochs = epochs
        self._maker = maker
        self._rooms = rooms
        self._boards = boards
        self._now = now
        self._tell = tell
        self._dismiss = dismiss
        self._vitals = vitals
        self._notices = notices
        self._epoch_began = now()
        self._arrivals = Arrivals()

    def begin(self, kept: BoardFile | None = None) -> None:
        """Continues where the last process ended, with the board that it stored."""
        with self._log.appending() as tail:
            for entrant in list(tail.state.bots.values()):
                if entrant.present:
                    tail.append(BotLeft(entrant.bot))
        past = self._log.read_new()
        self._vitals.hear(past)
        self._boards.hear_past(past, kept)
        for epoch in self._log.state.seasons.unclosed:
            self._epochs.resume(epoch)
        self._rooms.go_on(self._log.state.rooms)

    def step(self) -> None:
        """Logs events, starts the rooms that can begin, and waits a moment for news."""
        ended = self._rooms.ended()
        with self._log.appending() as tail:
            for event in (*ended, *self._changes_of_presence(tail.state), *self._boards.events(self._now())):
                tail.append(event)
            for overran in self._rooms.overrun(tail.state):
                tail.append(overran)
            self._turn_epochs(tail)
            called = list(self._call_rooms(tail))
        # First, because a host that has taken over may have logged unknown events.
        if called and (epoch := self._log.state.seasons.current):
            self._epochs.list_rooms(epoch)
        for number in called:
            self._rooms.begin(number, self._log.state.rooms[number])
        news = self._log.read_new()
        self._boards.hear(news)
        self._vitals.hear(news)
        self._notices.follow(news, self._rooms.take_troubles(), self._log.state)
        self._dismiss_stopped()
        self._rooms.wait()
        self._vitals.note(self._log.state, self._rooms)

    def _changes_of_presence(self, state: LadderState) -> Iterator[Event]:
        """Yields arrivals, except of bots that come too often, and departures.

        Hosted bots are present as long as the ladder is served.
        """
        for entrant in state.bots.values():
            here = not entrant.retired and (entrant.joined.hosted or entrant.bot in self._rooms.here)
            if here and not entrant.present and not entrant.joined.hosted:
                here = self._arrivals.admit(entrant.bot, self._now())
            if here != entrant.present:
                yield BotArrived(entrant.bot) if here else BotLeft(entrant.bot)

    def _dismiss_stopped(self) -> None:
        """Stops waiting for bots that were retired or suspended, or have a new version."""
        for room in self._log.state.rooms.values():
            for entrant in room.line_up:
                if entrant.retired or entrant.benched is not None:
                    self._dismiss(entrant.bot)

    def _turn_epochs(self, tail: Tail) -> None:
        """Opens the next epoch if it is due, and closes earlier epochs whose last room is over."""
        if not tail.state.seasons.last:
            tail.append(SeasonOpened(1))
        if self._is_time(tail.state):
            self._epoch_began = self._now()
            tail.append(self._epochs.opened(tail.state.epoch + 1))
        for epoch in tail.state.seasons.unclosed[:-1]:
            if not any(room in epoch for room in tail.state.rooms):
                tail.append(self._epochs.close(epoch))

    def _is_time(self, state: LadderState) -> bool:
        """Whether the current epoch has reached its limit of rooms or hours, is over, or belongs to the last season."""
        current = state.seasons.current
        if current is None or current.season != state.seasons.last or self._epochs.is_over(current):
            return True
        has_lasted = self._now() - self._epoch_began >= timedelta(hours=self._terms.hours)
        return current.rooms >= self._terms.rooms or (current.rooms > 0 and has_lasted)

    def _call_rooms(self, tail: Tail) -> Iterator[int]:
        """Starts the rooms that can begin now, and yields their numbers."""
        seed, free = self._epochs.seed(tail.state.epoch), self._rooms.free
        state = tail.state
        while free and (challenge := state.challenges.next(state.bots, state.lists.values())):
            if not self._bench_changed(tail, challenge.line_up):  # otherwise the challenge is cancelled
                yield _call(tail, challenge.line_up, asked_by=challenge.owner)
                free -= 1
        for clock_class in list(tail.state.lists):
            while free and (pairing := pair(tail.state, seed, clock_class)):
                if not self._bench_changed(tail, pairing.line_up):
                    yield _call(tail, pairing.line_up, rated=pairing.rated)
                    free -= 1

    def _bench_changed(self, tail: Tail, line_up: tuple[str, ...]) -> bool:
        """Suspends the bots of a line-up whose files changed on disk, and returns whether there are any."""
        changed = self._maker.changed_bots(tail.state.bots[bot] for bot in line_up)
        for bot, why in changed.items():
            tail.append(BotBenched(bot, why, by="ladder"))
            self._tell(
                f"{bot} is suspended: {why}.\nhint: restore them and run bourre ladder reinstate, or add a new version"
            )
        return bool(changed)


def _call(tail: Tail, line_up: tuple[str, ...], *, rated: bool = False, asked_by: str = "") -> int:
    """Logs the next room, and returns its number."""
    room = tail.state.rooms_paired + 1
    tail.append(RoomPaired(room, line_up, rated, asked_by))
    return room


def serve_ladder(
    folder: LadderFolder,
    make_executor: MakeExecutor,
    stop: Stop,
    announce: Callable[[str, tuple[str, ...]], None],
    tell: Tell,
    now: Callable[[], datetime] = utc_now,
    pages: AbstractContextManager[object] | None = None,
    vitals: HostVitals | None = None,
    mail: MailServer | None = None,
) -> None:
    """Serves a ladder until `stop`, which raises KeyboardInterrupt. Rooms still in play are played again later.

    `LadderHost` writes the log, `OpenEpochs` the runs of the epochs, `Showing` the boards, and rooms write `logs/`. If
    another process serves a ladder in a database, this one stands by until it leads, and only then enters `pages`.
    `announce` gets the address for remote bots and notices for the host. `tell` gets warnings and later news. A monitor
    can read the `vitals`. Without `mail`, owners get no mail. Raises ContestError if the folder or a setting cannot be
    used, ContestFailed if the host fails, and LeadLost if another process has taken over.
    """
    patience, watched = InterruptibleWait(tell, stop, None), vitals or HostVitals(now)
    with folder.leading(patience) as ladder, temp_dir(ladder.temp_dir_note) as temp, ExitStack() as held:
        watched.leads = True
        ladder.sweep()
        if pages is not None:
            held.enter_context(pages)
        settings, log = ladder.settings(), ladder.open_log(now)
        _log_file(ladder, settings, log)
        check_environment(settings.contest.entries, os.environ)
        maker = RoomMaker(settings, isolation_here(settings, tell), ladder.files_of)
        epochs = held.enter_context(open_epochs(ladder, settings.contest.name, epoch_terms(settings), patience))
        ratings = held.enter_context(TendedExecutor("ratings", patience))
        boards = BoardKeeper(settings, GameReader(ladder, patience).read, ratings)
        environment = {"TMPDIR": str(temp)}
        opening = open_at_known_port(_listener_spec(ladder, settings), ladder.port_file, environment)
        listener, notices = held.enter_context(opening)
        rooms = RemoteRooms(listener, ladder.site)
        place = Workplace(ladder.site, stop, environment, rooms)
        executor = held.enter_context(make_executor(place))
        played = RoomsInPlay(epochs, maker, executor, now, tell)
        sender = NoticeSender(settings.contest.name, ladder.contacts, mail, tell)
        held.callback(sender.end)
        notices_to = OwnerNotices(ladder.notices, sender.send, now)
        host = LadderHost(
            settings.epoch, log, epochs, maker, played, boards, now, tell, rooms.dismiss, watched, notices_to
        )
        showing = Showing(ladder, log, settings.contest.name, boards, Notices(listener.tell), now)
        disk = DiskWatch(ladder.path, tell)
        announce(listener.listen.address, notices)
        host.begin(read_board(ladder.board) if ladder.board.exists() else None)
        with stop.defer():
            while True:
                host.step()
                showing.show()
                disk.look()


def _log_file(ladder: LadderFolder, settings: LadderSettings, log: SharedLog) -> None:
    """Logs changes of the ladder file: its terms and its staff."""
    with log.appending() as tail:
        ladder.check_terms(settings, tail.state.terms)
        if (now_set := terms_set(settings)) != tail.state.terms_set:
            tail.append(now_set)
        enter_staff(ladder, settings, tail)


def _listener_spec(ladder: LadderFolder, settings: LadderSettings) -> ListenerSpec:
    contest, quotas = settings.contest, settings.quotas
    return ListenerSpec(
        contest.name, (), contest.clock, contest.listen, ladder.tokens, most_bots=quotas.connections, versioned=True
    )
