"""The luck of the draw by the baseline `card styles`: each bot is expected to play as in earlier deals of the match.

Which style is expected follows from earlier deals alone, so that the mean of the luck is 0 whatever the bots do, as of
any baseline fixed before the cards are drawn (White and Bowling 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre.rules.cards import Suit
from bourre.rules.deck import derive, shuffle
from bourre.rules.house import HouseRules
from bourre_referee.model.luck.card_style import CardStyle, StyleCounts, count_deal
from bourre_referee.model.luck.draw_luck import draw_cards, settled_value
from bourre_referee.model.luck.draw_observer import Drawing
from bourre_referee.model.luck.played_cards import PlayedCards
from bourre_referee.model.luck.trick_playout import TrickPlayout

STYLE_ORDERS = 40
"""How many random orders of the stock the real one is compared with.

The luck is given in the same parts as `draw_luck.luck`, 1/32 of 1/840 chip, and so is 5/4 of the difference of the
means; COEFFICIENT times that is 7/8 of it, which measured well on other deals (research/calibration.md).
"""


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A deal in one seating, once it is over."""

    deal: int
    line_up: tuple[int, ...]
    """For each seat, the number of its bot."""
    drawing: Drawing | None
    played: PlayedCards | None


def style_luck(boards: Sequence[PlayedBoard], house: HouseRules, seed: bytes) -> list[tuple[int, ...]]:
    """Compute the luck by seat of each board of a match, in the order given; the seats of each add up to 0."""
    counts = [StyleCounts() for _ in boards[0].line_up] if boards else []
    found: dict[int, tuple[int, ...]] = {}
    by_deal: dict[int, list[int]] = {}
    for place, board in enumerate(boards):
        by_deal.setdefault(board.deal, []).append(place)
    for deal in sorted(by_deal):
        styles = [count.style for count in counts]
        for place in by_deal[deal]:
            found[place] = _luck(boards[place], styles, house, seed)
        for place in by_deal[deal]:  # only now: a style never follows from the deal that it predicts
            _count(boards[place], counts, house)
    return [found[place] for place in range(len(boards))]


def _count(board: PlayedBoard, counts: Sequence[StyleCounts], house: HouseRules) -> None:
    if board.played:
        count_deal(board.played, [counts[board.line_up[seat]] for seat in board.played.order], house)


def _luck(board: PlayedBoard, styles: Sequence[CardStyle], house: HouseRules, seed: bytes) -> tuple[int, ...]:
    drawing = board.drawing
    if drawing is None:
        return (0,) * len(board.line_up)
    seated = [styles[board.line_up[seat]] for seat in drawing.order]
    numbers = [received.bit_count() for received in drawing.received]
    real = _value(drawing, drawing.received, seated, house)
    others = [0] * len(real)
    for number in range(1, STYLE_ORDERS + 1):
        order = shuffle(derive(seed, f"luck {drawing.deal} {number}"), drawing.stock)
        for seat, units in enumerate(_value(drawing, draw_cards(drawing, numbers, order), seated, house)):
            others[seat] += units
    return tuple(STYLE_ORDERS * units - other for units, other in zip(real, others, strict=True))


def _value(
    drawing: Drawing, received: Sequence[int], styles: Sequence[CardStyle], house: HouseRules
) -> tuple[int, ...]:
    hands = [kept | drawn for kept, drawn in zip(drawing.kept, received, strict=True)]
    return settled_value(drawing, play_tricks(hands, drawing.trump, styles, house), house)


def play_tricks(hands: Sequence[int], trump: Suit, styles: Sequence[CardStyle], house: HouseRules) -> list[int]:
    """Count the tricks of each hand, in the order of play from the first leader, if all play by these styles."""
    playout = TrickPlayout(hands, trump, house)
    while not playout.over:
        playout.play(styles[playout.to_act].choose(playout.situation, playout.trumps))
    return playout.won
