"""The tricks that a view's text does not tell of: so many were played, and some seat took each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bourre.rules.cards import SUIT_CARDS, Card, Suit, cards_in
from bourre.rules.trick_play import Trick
from bourre.view_notation.notation_error import ViewTextError

ALL = sum(SUIT_CARDS)


def made_up(winners: Iterable[int], order: Sequence[int], trump: Suit, known: int, hand: int) -> tuple[Trick, ...]:
    """Completed tricks with these winners, of cards that are no trumps; `known` cards lie elsewhere.

    They come from the suits of which the `hand` has least. ViewTextError where the cards are not enough.
    """
    left = ALL & ~SUIT_CARDS[trump] & ~known
    tricks, leader = [], order[0]
    for winner in winners:
        cards = _cards(left, hand, leader, winner, order)
        tricks.append(Trick(leader, cards, winner))
        left &= ~sum(1 << card for card in cards)
        leader = winner
    return tuple(tricks)


def winners_of(tricks: int, own: int, seat: int, leader: int, order: Sequence[int]) -> Iterator[int]:
    """Who took each of so many tricks: this seat so many, the leader of the trick in progress the last; else others."""
    others = [other for other in order if other != seat]
    last = [leader] * min(tricks, 1)
    before = [seat] * (own - last.count(seat))
    yield from before
    yield from (others[turn % len(others)] for turn in range(tricks - len(before) - len(last)))
    yield from last


def _cards(left: int, hand: int, leader: int, winner: int, order: Sequence[int]) -> tuple[Card, ...]:
    """The cards of one trick, in order from its leader. They rise, and none that is left beats the winner's: so nobody
    is seen to have held back a better one (R5.3)."""
    by_need = sorted(Suit, key=lambda suit: ((hand & SUIT_CARDS[suit]).bit_count(), suit))
    full = [suit for suit in by_need if (left & SUIT_CARDS[suit]).bit_count() >= len(order)]
    fullest = sorted(by_need, key=lambda suit: -(left & SUIT_CARDS[suit]).bit_count())
    led = (full or fullest)[0]
    suit = cards_in(left & SUIT_CARDS[led])
    low = [*suit[:-1], *cards_in(left & ~SUIT_CARDS[led])][: len(order) - 1]
    if len(suit) < 2 or len(low) < len(order) - 1:
        raise ViewTextError("too few cards are left to make up the completed tricks: write them, as `tricks`")
    first = order.index(leader)
    clockwise = [*order[first:], *order[:first]]
    return tuple(suit[-1] if seat == winner else low.pop(0) for seat in clockwise)
