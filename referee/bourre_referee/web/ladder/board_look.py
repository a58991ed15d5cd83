"""Looks for a new board, for the browsers that show it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import escape

from bourre_referee.web.cached_run import Unreadable
from bourre_referee.web.ladder.ladder_pages import LadderPages
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.live_updates import ServerEvent
from bourre_referee.web.state_tags import tag_of

BOARD = "board"
"""The name of the event, and of the element that shows it."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """Looks at one ladder."""

    reader: LadderReader
    pages: LadderPages

    def __call__(self, seen: str) -> ServerEvent | None:
        """Returns the board, or why it cannot be read; None if `seen` is its tag."""
        try:
            now = self.reader.board()
        except Unreadable as error:
            tag = tag_of(str(error))
            return None if tag == seen else ServerEvent(tag, BOARD, f'<p role="status">{escape(str(error))}</p>')
        return None if now.tag == seen else ServerEvent(now.tag, BOARD, self.pages.board_fragment(now.board))
