"""`bourre ladder serve`: one process leads; the door, the workers, the refits and the pages have their own."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime

from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.contest.isolation_choice import Tell
from bourre_referee.ladder.host.board_file import read_board
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
from bourre_referee.ladder.host.showing import Showing
from bourre_referee.ladder.host.staff import enter_staff
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.model.door_spec import DoorSpec
from bourre_referee.runner.door_process import open_at_known_port
from bourre_referee.runner.door_rooms import DoorRooms
from bourre_referee.runner.executor import MakeExecutor, Workplace
from bourre_referee.runner.interrupt import InterruptibleWait, Stop
from bourre_referee.runner.temp_dir import temp_dir
from bourre_referee.storage.process_pool import TendedExecutor


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
    patience = InterruptibleWait(tell, stop)
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
            _go_on(serving, Showing(ladder, log, settings.contest.name, boards, Notices(door.tell), now))


def _go_on(serving: Serving, showing: Showing) -> None:
    while True:
        serving.step()
        showing.show()


def _door_spec(ladder: LadderFolder, settings: LadderSettings) -> DoorSpec:
    contest, quotas = settings.contest, settings.quotas
    return DoorSpec(
        contest.name, (), contest.clock, contest.listen, ladder.tokens, most_bots=quotas.connections, versioned=True
    )
