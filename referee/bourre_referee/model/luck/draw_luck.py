"""The luck of the draw: how much better the cards that came were for a seat than other orders of the stock.

As in MIVAT (White and Bowling 2009), a control variate whose mean is 0 under chance alone, whatever the bots do.
"""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import Card
from bourre.rules.deck import derive, shuffled
from bourre.rules.house import HouseRules
from bourre.rules.pot import settle, settled
from bourre.rules.stock import SeatStock
from bourre_referee.model.luck.draw_observer import Drawing
from bourre_referee.model.luck.luck_baseline import tricks_won

ORDERS = 32
"""Random orders of the stock with which the real one is compared."""

COEFFICIENT = 0.7
"""The share of the luck that is taken off a result, chosen on deals that measure nothing (docs/calibration.md)."""


def luck(drawing: Drawing | None, seats: int, house: HouseRules, seed: bytes) -> tuple[int, ...]:
    """The luck of each seat in one deal, in 1/(840 * ORDERS) chips; the seats add up to 0.

    The orders follow from the match's seed and the number of the deal: the same in all seatings.
    """
    if drawing is None:
        return (0,) * seats
    numbers = [received.bit_count() for received in drawing.received]
    real = _value(drawing, drawing.received, house)
    others = [0] * seats
    for number in range(1, ORDERS + 1):
        order = shuffled(derive(seed, f"luck {drawing.deal} {number}"), drawing.stock)
        for seat, units in enumerate(_value(drawing, _served(drawing, numbers, order), house)):
            others[seat] += units
    return tuple(ORDERS * units - other for units, other in zip(real, others, strict=True))


def _served(drawing: Drawing, numbers: Sequence[int], order: list[Card]) -> list[int]:
    """What each seat draws from a stock in this order."""
    stock = SeatStock(order, _as_they_lie, seats=drawing.seats)
    return [stock.serve(seat, number)[0] for seat, number in zip(drawing.order, numbers, strict=True)]


def _as_they_lie(_time: int, pile: tuple[Card, ...]) -> list[Card]:
    return list(pile)


def _value(drawing: Drawing, received: Sequence[int], house: HouseRules) -> tuple[int, ...]:
    """What each seat of the table has of the deal by the baseline, in 1/840 chips, apart from what it paid before."""
    won = tricks_won([kept | drawn for kept, drawn in zip(drawing.kept, received, strict=True)], drawing.trump)
    settlement = settle(drawing.pot, dict(zip(drawing.order, won, strict=True)), (), (), house)
    balances = [settlement.taken.get(seat, 0) - settlement.payments.get(seat, 0) for seat in range(drawing.seats)]
    return settled(balances, settlement.next_pot)
