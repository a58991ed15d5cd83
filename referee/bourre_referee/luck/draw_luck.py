"""The luck of the draw: how much better a seat's drawn cards were than those of other orders of the stock.

As in MIVAT (White and Bowling 2009), it is a control variate with mean 0 under chance alone, whatever the bots do.
"""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import HIGHER, SUIT_CARDS, Card, Suit, highest, lowest
from bourre.rules.deal_setup import SeatStock
from bourre.rules.deck import derive, shuffle
from bourre.rules.house import HouseRules
from bourre.rules.pot import settle, settle_in_units
from bourre_referee.luck.luck_recorder import Drawing


def tricks_won(hands: Sequence[int], trump: Suit) -> list[int]:
    """Counts the tricks of each hand, in the order of play from the first leader. Hands are sets of equal size.

    Everyone leads the highest card. Other players follow suit or else trump, with the cheapest card that wins or else
    the lowest (R5.2 to R5.4 of the base game).
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
"""The number of random orders of the stock for the comparison."""

COEFFICIENT = 0.7
"""The share of the luck subtracted from a result, chosen on deals used for no measurement (research/calibration.md)."""


def luck(drawing: Drawing | None, seats: int, house: HouseRules, seed: bytes) -> tuple[int, ...]:
    """Computes each seat's luck in one deal, in 1/(840 * ORDERS) chips. The seats add up to 0.

    The orders follow from the match's seed and the deal's number, so they are the same in all seatings.
    """
    if drawing is None:
        return (0,) * seats
    numbers = [received.bit_count() for received in drawing.received]
    real = _value(drawing, drawing.received, house)
    others = [0] * seats
    for number in range(1, ORDERS + 1):
        order = shuffle(derive(seed, f"luck {drawing.deal} {number}"), drawing.stock)
        for seat, units in enumerate(_value(drawing, draw_cards(drawing, numbers, order), house)):
            others[seat] += units
    return tuple(ORDERS * units - other for units, other in zip(real, others, strict=True))


def draw_cards(drawing: Drawing, numbers: Sequence[int], order: list[Card]) -> list[int]:
    """Returns the cards that each seat draws from a stock in this order."""
    stock = SeatStock(order, _keep_order, seats=drawing.seats)
    return [stock.serve(seat, number)[0] for seat, number in zip(drawing.order, numbers, strict=True)]


def _keep_order(_time: int, pile: tuple[Card, ...]) -> list[Card]:
    return list(pile)


def _value(drawing: Drawing, received: Sequence[int], house: HouseRules) -> tuple[int, ...]:
    """Returns the result of the baseline play for each seat, in 1/840 chips, without its earlier payments."""
    won = tricks_won([kept | drawn for kept, drawn in zip(drawing.kept, received, strict=True)], drawing.trump)
    return settled_value(drawing.order, won, drawing.pot, drawing.seats, house)


def settled_value(order: Sequence[int], won: Sequence[int], pot: int, seats: int, house: HouseRules) -> tuple[int, ...]:
    """Returns the value of these tricks for each seat, in the order of play: 1/840 chips, without earlier payments."""
    settlement = settle(pot, dict(zip(order, won, strict=True)), (), (), house)
    balances = [settlement.taken.get(seat, 0) - settlement.payments.get(seat, 0) for seat in range(seats)]
    return settle_in_units(balances, settlement.next_pot)
