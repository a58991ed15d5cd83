"""The luck by the baseline `bot styles`, which predicts each bot's declarations, discards and play from earlier deals.

The prediction uses only earlier deals of the match, so the mean of the luck is 0 whatever the bots do, as with any
baseline fixed before the deal (White and Bowling 2009). The luck has two parts: the luck of the draw, after the real
decisions before it, and the luck of the first hands, by predicted decisions alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal

from bourre.rules.cards import Card
from bourre.rules.deck import derive, shuffle
from bourre.rules.house import HouseRules
from bourre_referee.luck.bot_style import BotLessons, BotStyle
from bourre_referee.luck.card_style import CardStyle, count_deal, play_tricks
from bourre_referee.luck.counterfactual_deals import Cards, CounterfactualTable, other_cards, real_cards
from bourre_referee.luck.draw_luck import draw_cards, luck, settled_value
from bourre_referee.luck.luck_recorder import Drawing, FirstHands, PlayedBoard

STYLE_ORDERS: Final = 40
"""The number of random orders of the stock for the comparison.

The luck is in the same parts as `draw_luck.luck`, 1/32 of 1/840 chip, and is 5/4 of the difference of the means.
COEFFICIENT times that is 7/8 of the difference, which measured well on other deals (research/calibration.md).
"""

DECKS: Final = 16
"""The number of other decks, and of other orders of the stock behind the real first hands, for the comparison."""
_SHARE: Final = (240, 7 * DECKS)
"""In the parts of `draw_luck.luck`, COEFFICIENT times this is 3/4 of the difference of the means."""


class DealLuck:
    """Computes the luck of each seating. Values shared by several seatings are computed once."""

    def __init__(
        self, first: FirstHands | None, deal: int, styles: Sequence[BotStyle], house: HouseRules, seed: bytes
    ) -> None:
        """`styles` are by the bots' numbers."""
        self._styles = styles
        self._house = house
        self._seed = seed
        self._orders: list[list[Card]] = []
        self._drawn: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._real: list[Cards] = []
        self._others: list[Cards] = []
        if first and first.turned is not None:
            for number in range(1, DECKS + 1):
                self._real.append(real_cards(first, first.turned, seed, f"stock {deal} {number}", house))
                self._others.append(other_cards(len(styles), seed, f"other deck {deal} {number}", house))

    def of_board(self, board: PlayedBoard) -> tuple[int, ...]:
        """Returns the luck by seat. The seats add up to 0."""
        styles = [self._styles[bot] for bot in board.line_up]
        parts = self._of_draw(board.drawing, styles), self._of_first_hands(board.first, styles)
        return tuple(map(sum, zip(*parts, strict=True)))

    def _of_draw(self, drawing: Drawing | None, styles: Sequence[BotStyle]) -> list[int]:
        """Returns how much more the real draw is worth than others, after the real decisions."""
        if drawing is None:
            return [0] * len(styles)
        cards = [styles[seat].cards for seat in drawing.order]
        numbers = [received.bit_count() for received in drawing.received]
        found = [STYLE_ORDERS * units for units in self._value(drawing, drawing.received, cards)]
        for order in self._orders_of(drawing):
            for seat, units in enumerate(self._value(drawing, draw_cards(drawing, numbers, order), cards)):
                found[seat] -= units
        return found

    def _orders_of(self, drawing: Drawing) -> list[list[Card]]:
        """Returns the other orders of the stock, which are the same in all seatings."""
        if not self._orders:
            for number in range(1, STYLE_ORDERS + 1):
                self._orders.append(shuffle(derive(self._seed, f"luck {drawing.deal} {number}"), drawing.stock))
        return self._orders

    def _value(self, drawing: Drawing, received: Sequence[int], styles: Sequence[CardStyle]) -> tuple[int, ...]:
        hands = [kept | drawn for kept, drawn in zip(drawing.kept, received, strict=True)]
        key = (drawing.trump, drawing.pot, *drawing.order, *hands, *styles)
        found = self._drawn.get(key)
        if found is None:
            won = play_tricks(hands, drawing.trump, styles, self._house)
            found = settled_value(drawing.order, won, drawing.pot, drawing.seats, self._house)
            self._drawn[key] = found
        return found

    def _of_first_hands(self, first: FirstHands | None, styles: Sequence[BotStyle]) -> list[int]:
        """Returns how much more the real first hands are worth than others, by the bots' predicted play."""
        found = [0] * len(styles)
        if not first or not self._real:
            return found
        table = CounterfactualTable(first.dealer, first.pot, styles, self._house)
        for sign, deals in ((1, self._real), (-1, self._others)):
            for cards in deals:
                for seat, units in enumerate(scale_by_trust(table.value(cards), styles)):
                    found[seat] += sign * units
        return found


def scale_by_trust(units: Sequence[int], styles: Sequence[BotStyle]) -> list[int]:
    """Scales the values by how well the bots' declarations were predicted, so that they still add up to 0.

    The values are rounded before the comparison, so that rounding favours no deck.
    """
    shares = [
        _SHARE[0] * style.trust[0] * value // (_SHARE[1] * style.trust[1])
        for value, style in zip(units, styles, strict=True)
    ]
    mean, odd = divmod(sum(shares), len(shares))
    return [share - mean - (seat < odd) for seat, share in enumerate(shares)]


def style_luck(boards: Sequence[PlayedBoard], house: HouseRules, seed: bytes) -> list[tuple[int, ...]]:
    """Computes the luck by seat of each board of a match, in the order given. The seats of each board add up to 0."""
    return luck_after([BotLessons() for _ in boards[0].line_up] if boards else [], boards, house, seed)


def luck_after(
    lessons: Sequence[BotLessons], boards: Sequence[PlayedBoard], house: HouseRules, seed: bytes
) -> list[tuple[int, ...]]:
    """Computes the luck likewise, after these lessons from each bot, to which it adds those of the match."""
    found: dict[int, tuple[int, ...]] = {}
    for deal, places in _by_deal(boards):
        styles = [lesson.style for lesson in lessons]
        luck = DealLuck(boards[places[0]].first, deal, styles, house, seed)
        found |= {place: luck.of_board(boards[place]) for place in places}
        _learn_deal(lessons, [boards[place] for place in places], house)  # only now: no deal predicts itself
    return [found[place] for place in range(len(boards))]


def learn(lessons: Sequence[BotLessons], boards: Sequence[PlayedBoard], house: HouseRules) -> None:
    """Adds the lessons of a match, by the bots' numbers, as `luck_after` does."""
    for _, places in _by_deal(boards):
        _learn_deal(lessons, [boards[place] for place in places], house)


def _by_deal(boards: Sequence[PlayedBoard]) -> Iterator[tuple[int, list[int]]]:
    """Yields each deal in order, with the places of its seatings."""
    in_order = sorted(range(len(boards)), key=lambda place: (boards[place].deal, boards[place].line_up))
    for deal, places in groupby(in_order, key=lambda place: boards[place].deal):
        yield deal, [*places]


def _learn_deal(lessons: Sequence[BotLessons], seatings: Sequence[PlayedBoard], house: HouseRules) -> None:
    for board in seatings:
        _hear(board, lessons, house)
    for lesson in lessons:
        lesson.learn()


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


Baseline = Literal["bot styles 1", "bot styles 2"]
"""A name and a version. None in terms older than the key, whose luck is `draw_luck.luck`.

Version 1 begins every match without lessons, version 2 with those of the bots' schools (`schools`).
"""

BASELINE: Final = "bot styles 2"
"""The baseline of new contests."""


def luck_of_match(
    boards: Sequence[PlayedBoard],
    house: HouseRules,
    seed: bytes,
    baseline: Baseline | None,
    lessons: Sequence[BotLessons] = (),
) -> list[tuple[int, ...]]:
    """Computes the luck by seat of each board of a duplicate match, in the order given.

    The lessons from its bots, by number, are those with which `bot styles 2` begins, if there are any.
    """
    if baseline is None:
        return [luck(board.drawing, len(board.line_up), house, seed) for board in boards]
    if baseline == "bot styles 1" or not lessons:
        return style_luck(boards, house, seed)
    return luck_after(lessons, boards, house, seed)
