"""Deals the cards, and turns one up (R3)."""

from __future__ import annotations

from functools import partial
from operator import index
from typing import Final, NamedTuple

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.deck import Chance
from bourre.rules.draft import draft_class, freeze
from bourre.rules.events import Event, HandDealt, TrumpTurned, TurnedReturned
from bourre.rules.house import HouseRules
from bourre.rules.stock import SeatStock, Stock

_HandDealtDraft: Final = draft_class(HandDealt)
_TRUMP_TURNED_EVENTS: Final = {card: TrumpTurned(card, card.suit) for card in DECK}
"""Each possible TrumpTurned event, made once."""


class DealSetup(NamedTuple):
    """The state of a deal before the first decision."""

    hands: list[int]
    """Card sets by seat."""
    fifth: Card
    """The dealer's last card."""
    turned: Card | None
    """None where the dealer names the trump."""
    dead: int
    """The turned card as a set, if it belongs to nobody; in `separate_dealer_option` until the dealer takes it."""
    stock: Stock
    events: list[Event]
    """The events of dealing."""


def deal_out(number: int, order: tuple[int, ...], house: HouseRules, chance: Chance) -> DealSetup:
    """Deals the hands and turns a card up (R3.1, R3.2). `order` holds the seats from the dealer's left."""
    deck = chance.deck(number)
    seats = len(order)
    size = seats * house.cards
    hands = [0] * seats
    events: list[Event] = []
    for turn, seat in enumerate(order):  # one card to each at a time
        cards = sorted(deck[turn:size:seats], key=index)  # as plain numbers, which compare faster
        hands[seat] = card_set(cards)
        dealt = _HandDealtDraft()
        dealt.seat = seat
        dealt.cards = tuple(cards)
        events.append(freeze(dealt, HandDealt))
    fifth = deck[size - 1]
    turned, dead, undealt = _turn_up(number, fifth, deck[size:], house, chance, events)
    return DealSetup(hands, fifth, turned, dead, _make_stock(number, undealt, seats, house, chance), events)


def _turn_up(
    number: int, fifth: Card, undealt: list[Card], house: HouseRules, chance: Chance, events: list[Event]
) -> tuple[Card | None, int, list[Card]]:
    """Returns `turned` and `dead` as in `DealSetup`, then the cards that are left to draw from."""
    form = house.trump_card
    if form == "dealer_chooses":
        return None, 0, undealt
    turned = fifth if form == "dealer_fifth" else undealt.pop(0)
    events.append(_TRUMP_TURNED_EVENTS[turned])
    if form == "dealer_fifth":
        return turned, 0, undealt
    if form == "separate_returned":
        events.append(TurnedReturned(turned))
        return turned, 0, chance.shuffle_returned(number, [*undealt, turned])
    return turned, 1 << turned, undealt


def _make_stock(number: int, undealt: list[Card], seats: int, house: HouseRules, chance: Chance) -> Stock:
    gather = partial(chance.shuffle_gathered, number)
    folded_first = house.gathers_passed_first
    if chance.by_seat:
        return SeatStock(undealt, gather, folded_first, seats=seats)
    return Stock(undealt, gather, folded_first)
