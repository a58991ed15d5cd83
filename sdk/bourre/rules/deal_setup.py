"""Deals the cards and turns one up (R3). The others form the stock, which the discards replenish (R4.4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from typing import Final, NamedTuple

from bourre.rules.cards import DECK, Card, card_set, cards_in
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.deck import Chance
from bourre.rules.draft import draft_class, freeze
from bourre.rules.events import Event, HandDealt, TrumpTurned, TurnedReturned
from bourre.rules.house import HouseRules

Gather = Callable[[int, tuple[Card, ...]], list[Card]]
"""A function that shuffles a gathered pile, given the number of the gathering in this deal, from 1."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Stock:
    """The undealt cards of one deal, dealt from the top, and the pile of discards and passed hands."""

    __slots__ = ("_cards", "_discards", "_folded_first", "_gather", "_gatherings", "_passed")

    def __init__(self, cards: list[Card], gather: Gather, folded_first: bool = False) -> None:
        """With `folded_first`, passed hands are gathered before any discards."""
        self._cards = list(cards)
        self._gather = gather
        self._gatherings = 0
        self._folded_first = folded_first
        self._discards = 0
        self._passed = 0

    def discard(self, cards: int) -> None:
        """Puts the discards of a served seat on the pile."""
        self._discards |= cards

    def fold(self, cards: int) -> None:
        """Puts a passed hand on the pile."""
        self._passed |= cards

    def serve(self, seat: int, number: int) -> tuple[int, list[int]]:
        """Deals a seat this many cards; returns their set, and the size of each gathered pile."""
        served = self._take_cards(seat, number)
        gathered = []
        while len(served) < number:
            pile = self._take_pile()
            assert pile, "52 cards suffice for every seat"
            gathered.append(pile.bit_count())
            self._gatherings += 1
            self._cards = self._gather(self._gatherings, cards_in(pile))
            served += self._take_cards(seat, number - len(served))
        return card_set(served), gathered

    def _take_cards(self, _seat: int, number: int) -> list[Card]:
        """Takes this many cards off the stock, or all if fewer are left."""
        dealt = self._cards[:number]
        del self._cards[:number]
        return dealt

    def _take_pile(self) -> int:
        if self._folded_first and self._passed:
            pile, self._passed = self._passed, 0
            return pile
        pile, self._passed, self._discards = self._passed | self._discards, 0, 0
        return pile


@mypyc_attr(allow_interpreted_subclasses=True)
class SeatStock(Stock):
    """The stock of format `duplicate`, in which a seat's draws do not depend on other seats, as long as cards last.

    With k seats, the j-th card (from 0) of seat s is at place j * k + s of the stock. If that place is beyond the end
    or taken, the seat gets the last card left. Places do not depend on the cards, so hands are distributed as if dealt
    from the top. A replenished stock is dealt from the top.
    """

    __slots__ = ("_places", "_seats", "_served")

    def __init__(
        self,
        cards: list[Card],
        gather: Gather,
        folded_first: bool = False,
        *,
        seats: int,
    ) -> None:
        super().__init__([], gather, folded_first)
        self._places = dict(enumerate(cards))
        self._seats = seats
        self._served = [0] * seats

    def _take_cards(self, seat: int, number: int) -> list[Card]:
        if not self._places:
            return super()._take_cards(seat, number)
        return [self._pick(seat) for _ in range(min(number, len(self._places)))]

    def _pick(self, seat: int) -> Card:
        place = self._served[seat] * self._seats + seat
        self._served[seat] += 1
        return self._places.pop(place if place in self._places else max(self._places))


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
    """None if the dealer names the trump."""
    dead: int
    """The turned card as a set, if it belongs to no seat. In `separate_dealer_option`, the dealer may take it."""
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
