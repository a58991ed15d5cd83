"""The luck of the draw: how much better the cards that came were for a seat than other orders of the stock.

As in MIVAT (White and Bowling 2009), a control variate whose mean is 0 under chance alone, whatever the bots do.
"""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import HIGHER, SUIT_CARDS, Card, Suit, highest, lowest
from bourre.rules.deck import derive, shuffled
from bourre.rules.house import HouseRules
from bourre.rules.pot import settle, settled
from bourre.rules.stock import SeatStock
from bourre_referee.model.luck.draw_observer import Drawing


def tricks_won(hands: Sequence[int], trump: Suit) -> list[int]:
    """The tricks of each hand, in the order of play from the first leader; the hands are sets of equal size.

    Everyone leads the highest card, follows suit, else trumps, takes a trick as cheaply as can be, else throws the
    lowest card (R5.2 to R5.4 as they stand in the base game).
    """
    left, won, leader = list(hands), [0] * len(hands), 0
    trumps = SUIT_CARDS[trump]
    turns = [[(first + turn) % len(hands) for turn in range(1, len(hands))] for first in range(len(hands))]
    for _ in range(left[0].bit_count()):
        best = highest(left[leader])
        left[leader] ^= 1 << best
        suit, winner = SUIT_CARDS[best.suit], leader
        for player in turns[leader]:
            hand = left[player]
            following = hand & suit or hand & trumps
            beating = following & (HIGHER[best] if following & HIGHER[best] or best.suit == trump else trumps & ~suit)
            card = lowest(beating or following or hand)
            left[player] = hand ^ 1 << card
            if beating:
                best, winner = card, player
        won[winner] += 1
        leader = winner
    return won


ORDERS = 32
"""Random orders of the stock with which the real one is compared."""

COEFFICIENT = 0.7
"""The share of the luck that is taken off a result, chosen on deals that measure nothing (research/calibration.md)."""


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
