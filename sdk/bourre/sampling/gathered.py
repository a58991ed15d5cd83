"""Where cards that were seen before they were thrown away may have gone when the stock was made anew (R4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.house import ORDERS
from bourre.rules.stock import Stock
from bourre.rules.visibility import View


class DealtAgain(NamedTuple):
    """By seat: how many cards it drew from a stock gathered from a pile with certain cards in it.

    Each number is the most of them that can have come back to that seat; that some must have is not concluded.
    """

    own: tuple[int, ...]
    """With this seat's own discards."""
    dealers: tuple[int, ...]
    """With the hand of a dealer who passed before anyone drew (R4.1), and in it, perhaps, the card turned up."""


def dealt_again(view: View) -> DealtAgain:
    """What this view tells of the gatherings."""
    if sum(number or 0 for number in view.drawn) <= _stock_size(view):
        return DealtAgain((0,) * view.seats, (0,) * view.seats)
    return _Draw(view).dealt_again()


class _Draw:
    """The draw of a deal, once more.

    Only the numbers of cards drawn are needed, and they are public; any other cards stand in for the unknown ones.
    """

    def __init__(self, view: View) -> None:
        seats, cards = view.seats, view.house.cards
        self._view = view
        self._own = card_set(view.discarded)
        any_cards = [card for card in DECK if not self._own >> card & 1]
        self._hands = [any_cards[seat * cards : (seat + 1) * cards] for seat in range(seats)]
        self._dealers = card_set(self._hands[view.dealer]) if view.dealer in _folded(view) else 0
        self._with_own = self._with_dealers = 0
        undealt = any_cards[seats * cards :] + self._hands[view.seat][: len(view.discarded)]
        self._stock = Stock(undealt[: _stock_size(view)], self._gather, view.house.recycle == "folded_first")

    def dealt_again(self) -> DealtAgain:
        """Goes through all the turns."""
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
        return DealtAgain(tuple(own), tuple(dealers))

    def _gather(self, _time: int, pile: tuple[Card, ...]) -> list[Card]:
        cards = card_set(pile)
        self._with_own |= cards if cards & self._own else 0
        self._with_dealers |= cards if cards & self._dealers else 0
        return list(pile)


def _stock_size(view: View) -> int:
    """The cards in the stock before anyone drew (R3.2)."""
    apart = view.house.trump_card in ("separate_dead", "separate_dealer_option")
    return len(DECK) - view.seats * view.house.cards - apart


def _folded(view: View) -> tuple[int, ...]:
    """The seats that passed before they drew, from the dealer's left."""
    order = ORDERS[view.seats][view.dealer]
    return tuple(seat for seat in order if view.plays[seat] is False and view.drawn[seat] is None)


def _turns(view: View) -> Iterator[int]:
    """The seats that have passed or drawn, in the order in which the stock had to do with them (R4.1)."""
    order = ORDERS[view.seats][view.dealer]
    folded = _folded(view)
    if view.house.declare_mode == "turn":
        yield from (seat for seat in order if seat in folded or view.drawn[seat] is not None)
        return
    yield from folded
    yield from (seat for seat in order if view.drawn[seat] is not None)


def _takes_turned(view: View, seat: int) -> bool:
    """Whether this seat is the dealer and has taken the turned card for a discard (R3.2)."""
    return seat == view.dealer and has_taken_turned(view)


def has_taken_turned(view: View) -> bool:
    """Whether the dealer has taken the turned card: as long as he has not, it lies there (R3.2)."""
    return view.house.trump_card == "separate_dealer_option" and view.dead is None
