"""Publishes the state of a ladder: writes the boards, logs the hashes of last boards, and notifies bots."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from bourre_referee.ladder.host.board_file import BoardFile, board_file, last_board_file, write_board
from bourre_referee.ladder.host.board_keeper import BoardKeeper
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import LastBoardKept
from bourre_referee.ladder.log.shared_log import SharedLog
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus


class Notices:
    """Notifies each bot of news only."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._told: dict[str, int] = {}
        """The number of each entrant's games at its last notice."""

    def tell(self, shown: BoardFile) -> None:
        """Notifies every bot that has finished a game since its last notice."""
        for board in shown.boards:
            for row in board.rows.ranked:
                if self._told.get(row.entrant) != row.games:
                    self._told[row.entrant] = row.games
                    rank = row.place.rank if row.place else 0
                    text = f"{rank} of {len(board.rows.ranked)} on the board after {row.games} games"
                    self._tell(row.bot, f"{text}; {_in_words(shown.waiting[row.bot])}")


def _in_words(waiting: QueueStatus) -> str:
    if waiting.place is None:
        return waiting.reason
    return f"waiting, {waiting.place} of {waiting.of}: {waiting.reason}"


SHOW_EVERY = timedelta(seconds=2)
"""The shortest interval between updates of the pages."""


class Showing:
    """Updates the pages and notifies bots at intervals."""

    def __init__(
        self,
        ladder: LadderFolder,
        log: SharedLog,
        name: str,
        boards: BoardKeeper,
        notices: Notices,
        now: Callable[[], datetime],
    ) -> None:
        self._ladder = ladder
        self._log = log
        self._name = name
        self._boards = boards
        self._notices = notices
        self._now = now
        self._shown: tuple[int, datetime] | None = None
        """The number of changes of the boards, and the time, at the last update."""

    def show(self) -> None:
        """Refits, and writes the boards, unless nothing is new or the last update was a moment ago."""
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
        """Writes the last boards of finished seasons, and logs the hash of each."""
        for season, boards in self._boards.last_boards(lambda season: self._ladder.last_board(season).exists()):
            last = last_board_file(self._name, now, season, boards, self._boards.state)
            write_board(self._ladder.last_board(season), last)
            self._log_hash(season)
        for season in range(1, self._boards.state.seasons.last):
            # A host that was killed between the two, or an older version, did not log it.
            if season not in self._log.state.seasons.last_boards and self._ladder.last_board(season).exists():
                self._log_hash(season)

    def _log_hash(self, season: int) -> None:
        hashed = sha256(self._ladder.last_board(season).read_bytes()).hexdigest()
        with self._log.appending() as tail:
            tail.append(LastBoardKept(season, hashed))
