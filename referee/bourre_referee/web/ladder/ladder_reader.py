"""Reads a ladder for its pages: the board when it was rewritten, and the log and the games as they grow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, RLock

from bourre.rules.errors import BourreError
from bourre_referee.ladder.host.board_file import BoardFile, read_board
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.open_epochs import GameReader
from bourre_referee.ladder.log.events import RoomFinished
from bourre_referee.ladder.log.shared_log import SharedLog
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.notices.owner_notices import OwnerNotice, read_notices
from bourre_referee.storage.files.file_stamp import stamp_of
from bourre_referee.web.cached_run import Unreadable, tag_of
from bourre_referee.web.ladder.ladder_history import LadderHistory


@dataclass(frozen=True, slots=True)
class BoardNow:
    """The board as it was last written."""

    tag: str
    board: BoardFile


@dataclass(frozen=True, slots=True)
class LadderNow:
    """A ladder as far as it was read. It changes once its lock is released."""

    tag: str
    state: LadderState
    history: LadderHistory
    log: SharedLog


class LadderReader:
    """Reads one ladder. It is thread-safe. Every method raises Unreadable, without the folder's path, if that fails."""

    def __init__(self, folder: LadderFolder) -> None:
        self.folder = folder
        self._board: BoardNow | None = None
        self._reading_board = Lock()
        self._reading = RLock()
        self._begin()

    def _begin(self) -> None:
        self._log = SharedLog(self.folder.lines)
        self._games = GameReader(self.folder)
        self._history = LadderHistory()

    def board(self) -> BoardNow:
        """Returns the board, and reads it only if it was rewritten."""
        tag = tag_of(f"{stamp_of(self.folder.board)}")
        with self._reading_board:
            if self._board is None or self._board.tag != tag:
                try:
                    self._board = BoardNow(tag, read_board(self.folder.board))
                except BourreError as error:
                    raise self._unreadable(error) from error
            return self._board

    def board_if_any(self) -> BoardNow | None:
        """Returns the board. None if it cannot be read, because the log alone has much about a bot."""
        try:
            return self.board()
        except Unreadable:
            return None

    def last_board(self, season: int) -> BoardFile:
        """Reads the last board of a season that is over and has one."""
        try:
            return read_board(self.folder.last_board(season))
        except BourreError as error:
            raise self._unreadable(error) from error

    def notices(self) -> tuple[OwnerNotice, ...]:
        """Reads the latest notices to owners, oldest first."""
        try:
            return read_notices(self.folder.notices)
        except BourreError as error:
            raise self._unreadable(error) from error

    @contextmanager
    def now(self) -> Iterator[LadderNow]:
        """Reads the news and yields the ladder, which does not change until the end of the block."""
        with self._reading:
            try:
                self._read()
            except (BourreError, OSError) as error:
                self._begin()
                raise self._unreadable(error) from error
            yield LadderNow(tag_of(self._log.head), self._log.state, self._history, self._log)

    def _read(self) -> None:
        news = self._log.read_new()
        for logged in news:
            self._history.note(logged)
        for logged in news:
            if isinstance(logged.event, RoomFinished):
                place = self._log.state.seasons.place_of(logged.event.room)
                if place is not None and place.rated:
                    self._history.take(self._games.read(logged.event.room, place), place)

    def _unreadable(self, error: Exception) -> Unreadable:
        return Unreadable(self.folder.without_place(str(error)))
