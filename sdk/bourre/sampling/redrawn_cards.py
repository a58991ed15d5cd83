"""Finds the seats that may have drawn thrown-away cards from a replenished stock (R4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.deal_setup import Stock
from bourre.rules.house import ORDERS
from bourre.rules.view import View


class RedrawnCounts(NamedTuple):
    """The most cards that each seat can have drawn from a stock with certain replenished cards."""

    own: tuple[int, ...]
    """Cards from a stock with the viewing seat's discards, by seat."""
    dealers: tuple[int, ...]
    """Cards from a stock with the hand of a dealer who passed before anyone drew (R4.1), by seat."""


def count_redrawn(view: View) -> RedrawnCounts:
    """Counts the draws of each seat in this view from a replenished stock."""
    if sum(number or 0 for number in view.drawn) <= _stock_size(view):
        return RedrawnCounts((0,) * view.seats, (0,) * view.seats)
    return _Draw(view).count_redrawn()


class _Draw:
    """A simulation of the draw of a deal.

    Only the public numbers of drawn cards matter, so arbitrary cards stand for the unknown ones.
    """

    def __init__(self, view: View) -> None:
        seats, cards = view.seats, view.house.cards
        self._view = view
        self._own = card_set(view.discarded)
        any_cards = [card for card in DECK if not self._own >> card & 1]
        self._hands = [any_cards[seat * cards : (seat + 1) * cards] for seat in range(seats)]
        self._dealers = card_set(self._hands[view.dealer]) if view.dealer in _folded_seats(view) else 0
        self._with_own = self._with_dealers = 0
        undealt = any_cards[seats * cards :] + self._hands[view.seat][: len(view.discarded)]
        self._stock = Stock(undealt[: _stock_size(view)], self._gather, view.house.gathers_passed_first)

    def count_redrawn(self) -> RedrawnCounts:
        """Simulates all turns."""
        view = self._view
        own, dealers = [0] * view.seats, [0] * view.seats
        for seat in _turns(view):
            hand, number = self._hands[seat], view.drawn[seat]
            if number is None:
                self._stock.fold(card_set(hand))
                continue
            served, _ = self._stock.serve(seat, number - _takes_turned(view, seat))
            own[seat] = (served & self._with_own).bit_count()
            dealers[seat] = (served & self._with_dealers).bit_count()
            self._stock.discard(self._own if seat == view.seat else card_set(hand[:number]))
        return RedrawnCounts(tuple(own), tuple(dealers))

    def _gather(self, _time: int, pile: tuple[Card, ...]) -> list[Card]:
        cards = card_set(pile)
        self._with_own |= cards if cards & self._own else 0
        self._with_dealers |= cards if cards & self._dealers else 0
        return list(pile)


def _stock_size(view: View) -> int:
    """Returns the number of cards in the stock before anyone drew (R3.2)."""
    apart = view.house.keeps_turned_apart
    return len(DECK) - view.seats * view.house.cards - apart


def _folded_seats(view: View) -> tuple[int, ...]:
    """Returns the seats that passed before they drew, from the dealer's left."""
    order = ORDERS[view.seats][view.dealer]
    return tuple(seat for seat in order if view.plays[seat] is False and view.drawn[seat] is None)


def _turns(view: View) -> Iterator[int]:
    """Yields the seats that have passed or drawn, in the order of their changes to the stock (R4.1)."""
    order = ORDERS[view.seats][view.dealer]
    folded = _folded_seats(view)
    if view.house.declares_in_turn:
        yield from (seat for seat in order if seat in folded or view.drawn[seat] is not None)
        return
    yield from folded
    yield from (seat for seat in order if view.drawn[seat] is not None)


def _takes_turned(view: View, seat: int) -> bool:
    """Returns whether this seat is the dealer and has taken the turned card (R3.2)."""
    return seat == view.dealer and has_taken_turned(view)


def has_taken_turned(view: View) -> bool:
    """Returns whether the dealer has taken the turned card from the table (R3.2)."""
    return view.house.dealer_may_take_turned and view.dead is None
