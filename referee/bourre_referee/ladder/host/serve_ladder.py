"""`bourre ladder serve`: one process leads; the door, the workers, the refits and the pages have their own."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta

from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.contest.isolation_choice import Tell
from bourre_referee.ladder.host.board_file import board_file, last_board_file, read_board, write_board
from bourre_referee.ladder.host.board_keeper import BoardKeeper
from bourre_referee.ladder.host.game_reader import GameReader
from bourre_referee.ladder.host.ladder_entries import isolation_here
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_terms import epoch_terms, terms_set
from bourre_referee.ladder.host.notices import Notices
from bourre_referee.ladder.host.open_epochs import open_epochs
from bourre_referee.ladder.host.room_maker import RoomMaker
from bourre_referee.ladder.host.serving import Serving
from bourre_referee.ladder.host.staff import enter_staff
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.model.door_spec import DoorSpec
from bourre_referee.runner.door_opening import open_at_known_port
from bourre_referee.runner.door_rooms import DoorRooms
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.play_patience import PlayPatience
from bourre_referee.runner.temp_dir import temp_dir
from bourre_referee.storage.process_pool import TendedExecutor

SHOW_EVERY = timedelta(seconds=2)
"""How often at most the pages get something new."""


def serve_ladder(
    folder: LadderFolder,
    make_executor: MakeExecutor,
    stop: Stop,
    announce: Callable[[str, tuple[str, ...]], None],
    tell: Tell,
    now: Callable[[], datetime] = utc_now,
    pages: AbstractContextManager[object] | None = None,
) -> None:
    """Serves a ladder until `stop`, which raises KeyboardInterrupt; rooms in play are then played again later.

    If another process serves a ladder in a database, this one stands by until it leads; only then it enters `pages`.
    `announce` gets the address where remote bots connect, and what the host must know; `tell` gets warnings and later
    news. Raises ContestError if the folder or what the ladder file asks for cannot be used, ContestFailed if the host
    fails, and LeadLost if another process has taken over.
    """
    patience = PlayPatience(tell, stop)
    with folder.leading(patience) as ladder, temp_dir(ladder.temp_dir_note) as temp, ExitStack() as held:
        ladder.sweep()
        if pages is not None:
            held.enter_context(pages)
        settings, log = ladder.settings(), ladder.open_log(now)
        with log.appending() as tail:
            ladder.check_terms(settings, tail.state.terms)
            if (now_set := terms_set(settings)) != tail.state.terms_set:
                tail.append(now_set)
            enter_staff(ladder, settings, tail)
        check_environment(settings.contest.entries, os.environ)
        maker = RoomMaker(settings, isolation_here(settings, tell), ladder.files_of)
        epochs = held.enter_context(open_epochs(ladder, settings.contest.name, epoch_terms(settings), patience))
        boards = BoardKeeper(settings, GameReader(ladder).read, held.enter_context(TendedExecutor("ratings", patience)))
        environment = {"TMPDIR": str(temp)}
        opening = open_at_known_port(_door_spec(ladder, settings), ladder.door_port, environment)
        door, notices = held.enter_context(opening)
        rooms = DoorRooms(door, ladder.site)
        place = Workplace(ladder.site, stop, environment, rooms)
        executor = held.enter_context(make_executor(place))
        serving = Serving(settings, log, epochs, maker, executor, boards, now, tell, rooms.dismiss)
        announce(door.listen.address, notices)
        with stop.defer():
            serving.begin(read_board(ladder.board) if ladder.board.exists() else None)
            _go_on(serving, _Showing(ladder, settings, boards, Notices(door.tell), now))


def _go_on(serving: Serving, showing: _Showing) -> None:
    while True:
        serving.step()
        showing.show()


class _Showing:
    """Tells pages and bots how the ladder stands, now and then."""

    def __init__(
        self,
        ladder: LadderFolder,
        settings: LadderSettings,
        boards: BoardKeeper,
        notices: Notices,
        now: Callable[[], datetime],
    ) -> None:
        self._ladder = ladder
        self._name = settings.contest.name
        self._boards = boards
        self._notices = notices
        self._now = now
        self._shown: tuple[int, datetime] | None = None
        """After how many changes of the boards, and when, they were shown."""

    def show(self) -> None:
        """Refits what is due, and writes the boards, unless nothing is new or that was done a moment ago."""
        now = self._now()
        if self._shown and abs(now - self._shown[1]) < SHOW_EVERY:
            return
        self._boards.refit()
        self._keep_last_boards(now)
        if self._boards.is_news_since(self._shown, now):
            self._shown = self._boards.changes, now
            shown = board_file(self._name, now, self._boards.boards, self._boards.state)
            write_board(self._ladder.board, shown)
            self._notices.tell(shown)

    def _keep_last_boards(self, now: datetime) -> None:
        """Writes the boards of seasons that are over."""
        for season, boards in self._boards.last_boards(lambda season: self._ladder.last_board(season).exists()):
            last = last_board_file(self._name, now, season, boards, self._boards.state)
            write_board(self._ladder.last_board(season), last)


def _door_spec(ladder: LadderFolder, settings: LadderSettings) -> DoorSpec:
    contest, quotas = settings.contest, settings.quotas
    return DoorSpec(
        contest.name, (), contest.clock, contest.listen, ladder.tokens, most_bots=quotas.connections, versioned=True
    )
