"""The luck by the baseline `bot styles`: each bot is expected to declare, discard and play as in earlier deals.

What is expected follows from earlier deals of the match alone, so that the mean of the luck is 0 whatever the bots do,
as of any baseline fixed before the cards are dealt (White and Bowling 2009). It is the luck of the draw, after the real
decisions before it, and the luck of the first hands, by expected decisions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bourre.rules.house import HouseRules
from bourre_referee.luck.bot_style import BotLessons
from bourre_referee.luck.card_style import count_deal
from bourre_referee.luck.deal_luck import DealLuck
from bourre_referee.luck.draw_observer import PlayedBoard


def style_luck(boards: Sequence[PlayedBoard], house: HouseRules, seed: bytes) -> list[tuple[int, ...]]:
    """Compute the luck by seat of each board of a match, in the order given; the seats of each add up to 0."""
    lessons = [BotLessons() for _ in boards[0].line_up] if boards else []
    found: dict[int, tuple[int, ...]] = {}
    in_order = sorted(range(len(boards)), key=lambda place: (boards[place].deal, boards[place].line_up))
    for deal, places in groupby(in_order, key=lambda place: boards[place].deal):
        seatings = [*places]
        styles = [lesson.style for lesson in lessons]
        luck = DealLuck(boards[seatings[0]].first, deal, styles, house, seed)
        found |= {place: luck.of_board(boards[place]) for place in seatings}
        for place in seatings:  # only now: nothing follows from the deal that is predicted
            _hear(boards[place], lessons, house)
        for lesson in lessons:
            lesson.learn()
    return [found[place] for place in range(len(boards))]


def _hear(board: PlayedBoard, lessons: Sequence[BotLessons], house: HouseRules) -> None:
    seated = [lessons[bot] for bot in board.line_up]
    if board.played:
        count_deal(board.played, [seated[seat].cards for seat in board.played.order], house)
    first = board.first
    if first is None:
        return
    for said in first.declared:
        seated[said.seat].hear_declaration(first, said)
    for seat, hand, thrown in first.discarded:
        seated[seat].hear_discard(first, hand, thrown, house)
