"""Where the own discards may have gone when the stock was made anew (R4.4)."""

from __future__ import annotations

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.stock import Stock
from bourre.rules.view import View


def dealt_from_own(view: View) -> tuple[int, ...]:
    """By seat: how many cards it drew from a stock gathered from a pile with this seat's own discards.

    Only the numbers of cards drawn are needed, and they are public; any other cards stand in for the unknown ones. Each
    number is the most that can have come back to that seat; that some must have is not concluded.
    """
    own, seats, cards = card_set(view.discarded), view.seats, view.house.cards
    if not own or sum(number or 0 for number in view.drawn) <= len(DECK) - seats * cards:
        return (0,) * seats
    circulating = 0

    def gather(pile: tuple[Card, ...]) -> list[Card]:
        nonlocal circulating
        if card_set(pile) & own:
            circulating |= card_set(pile)
        return list(pile)

    any_cards = [card for card in DECK if not own >> card & 1]
    hands = [any_cards[seat * cards : (seat + 1) * cards] for seat in range(seats)]
    stock = Stock(any_cards[seats * cards :] + hands[view.seat][: len(view.discarded)], gather)
    found = [0] * seats
    for turn in range(1, seats + 1):
        seat = (view.dealer + turn) % seats
        number = view.drawn[seat]
        if view.plays[seat] is False:
            stock.throw(card_set(hands[seat]))
        elif number is not None:
            served, _ = stock.serve(number)
            found[seat] = (served & circulating).bit_count()
            stock.throw(own if seat == view.seat else card_set(hands[seat][:number]))
    return tuple(found)
