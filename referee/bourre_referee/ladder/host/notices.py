"""What a remote bot is told for its log after each of its rooms: its place on the board, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable

from bourre_referee.ladder.host.board_file import BoardFile
from bourre_referee.ladder.pairing.waiting_reasons import Waiting


class Notices:
    """Tells each bot only what is new."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._told: dict[str, int] = {}
        """By entrant, its games when it was told last."""

    def tell(self, shown: BoardFile) -> None:
        """Tells every bot that has finished a game since it was told last."""
        for board in shown.boards:
            for row in board.rows.ranked:
                if self._told.get(row.entrant) != row.games:
                    self._told[row.entrant] = row.games
                    rank = row.place.rank if row.place else 0
                    text = f"{rank} of {len(board.rows.ranked)} on the board after {row.games} games"
                    self._tell(row.bot, f"{text}; {_in_words(shown.waiting[row.bot])}")


def _in_words(waiting: Waiting) -> str:
    if waiting.place is None:
        return waiting.reason
    return f"waiting, {waiting.place} of {waiting.of}: {waiting.reason}"
