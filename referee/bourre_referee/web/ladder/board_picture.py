"""The picture that a link to a ladder shows in a message."""

from __future__ import annotations

from bourre_referee.web.ladder.board_view import BoardView
from bourre_referee.web.link_pictures import draw_words
from bourre_referee.web.template_filters import count


def draw_board(board: BoardView) -> bytes:
    """Draws who leads, in the first clock class, as a PNG."""
    season = f"Season {board.file.season}"
    if not board.classes:
        return draw_words(season, board.file.ladder, "", board.file.ladder)
    first = board.classes[0]
    games = count(first.board.games, "rated game")
    return draw_words(f"{season} · {games}", first.headline, first.explanation, board.file.ladder)
