"""The luck in all seatings of one deal, given what is expected of each bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bourre.rules.cards import Card
from bourre.rules.deck import derive, shuffle
from bourre.rules.house import HouseRules
from bourre_referee.luck.bot_style import BotStyle
from bourre_referee.luck.card_style import CardStyle, play_tricks
from bourre_referee.luck.draw_luck import draw_cards, settled_value
from bourre_referee.luck.draw_observer import Drawing, PlayedBoard
from bourre_referee.luck.first_hands import FirstHands
from bourre_referee.luck.imagined_deals import Cards, ImaginedTable, other_cards, real_cards

STYLE_ORDERS: Final = 40
"""How many random orders of the stock the real one is compared with.

The luck is given in the same parts as `draw_luck.luck`, 1/32 of 1/840 chip, and so is 5/4 of the difference of the
means; COEFFICIENT times that is 7/8 of it, which measured well on other deals (research/calibration.md).
"""

DECKS: Final = 16
"""How many other decks, and as many orders of the stock behind the real first hands, are compared."""
_SHARE: Final = (240, 7 * DECKS)
"""In the parts of `draw_luck.luck`, COEFFICIENT times this is 3/4 of the difference of the means."""


class DealLuck:
    """Computes the luck of each seating; what several have in common is computed once."""

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
        """Return the luck by seat; the seats add up to 0."""
        styles = [self._styles[bot] for bot in board.line_up]
        parts = self._of_draw(board.drawing, styles), self._of_first_hands(board.first, styles)
        return tuple(map(sum, zip(*parts, strict=True)))

    def _of_draw(self, drawing: Drawing | None, styles: Sequence[BotStyle]) -> list[int]:
        """Return how much more the real draw is worth than others, after the real decisions."""
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
        """Return the other orders of the stock, which is the same in all seatings."""
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
        """Return how much more the real first hands are worth than others, as the bots are expected to play them."""
        found = [0] * len(styles)
        if not first or not self._real:
            return found
        table = ImaginedTable(first.dealer, first.pot, styles, self._house)
        for sign, deals in ((1, self._real), (-1, self._others)):
            for cards in deals:
                for seat, units in enumerate(scale_by_trust(table.value(cards), styles)):
                    found[seat] += sign * units
        return found


def scale_by_trust(units: Sequence[int], styles: Sequence[BotStyle]) -> list[int]:
    """Return the share of the values that is believed, by how far each bot declares as expected; they add up to 0.

    They are rounded before they are compared, so that rounding favours no deck.
    """
    shares = [
        _SHARE[0] * style.trust[0] * value // (_SHARE[1] * style.trust[1])
        for value, style in zip(units, styles, strict=True)
    ]
    mean, odd = divmod(sum(shares), len(shares))
    return [share - mean - (seat < odd) for seat, share in enumerate(shares)]
