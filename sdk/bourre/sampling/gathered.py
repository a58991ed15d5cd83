"""Where cards that were seen before they were thrown away may have gone when the stock was made anew (R4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.stock import Stock
from bourre.rules.view import View


class DealtAgain(NamedTuple):
    """By seat: how many cards it drew from a stock gathered from a pile with certain cards in it.

    Each number is the most of them that can have come back to that seat; that some must have is not concluded.
    """

    own: tuple[int, ...]
    """With this seat's own discards."""
    dealers: tuple[int, ...]
    """With the hand of a dealer who passed before anyone drew (R4.1), and in it, perhaps, the card turned up."""


def dealt_again(view: View) -> DealtAgain:
    """What this view tells of the gatherings.

    Only the numbers of cards drawn are needed, and they are public; any other cards stand in for the unknown ones.
    """
    own, seats, cards = card_set(view.discarded), view.seats, view.house.cards
    size = _stock_size(view)
    found_own, found_dealers = [0] * seats, [0] * seats
    if sum(number or 0 for number in view.drawn) <= size:
        return DealtAgain(tuple(found_own), tuple(found_dealers))
    any_cards = [card for card in DECK if not own >> card & 1]
    hands = [any_cards[seat * cards : (seat + 1) * cards] for seat in range(seats)]
    dealers = card_set(hands[view.dealer]) if view.dealer in _folded(view) else 0
    with_own = with_dealers = 0

    def gather(pile: tuple[Card, ...]) -> list[Card]:
        nonlocal with_own, with_dealers
        with_own |= card_set(pile) if card_set(pile) & own else 0
        with_dealers |= card_set(pile) if card_set(pile) & dealers else 0
        return list(pile)

    undealt = any_cards[seats * cards :] + hands[view.seat][: len(view.discarded)]
    stock = Stock(undealt[:size], gather, view.house.recycle == "folded_first")
    for seat in _turns(view):
        number = view.drawn[seat]
        if number is None:
            stock.fold(card_set(hands[seat]))
            continue
        served, _ = stock.serve(seat, number - _takes_turned(view, seat))
        found_own[seat] = (served & with_own).bit_count()
        found_dealers[seat] = (served & with_dealers).bit_count()
        stock.discard(own if seat == view.seat else card_set(hands[seat][:number]))
    return DealtAgain(tuple(found_own), tuple(found_dealers))


def _stock_size(view: View) -> int:
    """The cards in the stock before anyone drew (R3.2)."""
    apart = view.house.trump_card in ("separate_dead", "separate_dealer_option")
    return len(DECK) - view.seats * view.house.cards - apart


def _folded(view: View) -> tuple[int, ...]:
    """The seats that passed before they drew, from the dealer's left."""
    order = [(view.dealer + turn) % view.seats for turn in range(1, view.seats + 1)]
    return tuple(seat for seat in order if view.plays[seat] is False and view.drawn[seat] is None)


def _turns(view: View) -> Iterator[int]:
    """The seats that have passed or drawn, in the order in which the stock had to do with them (R4.1)."""
    order = [(view.dealer + turn) % view.seats for turn in range(1, view.seats + 1)]
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
