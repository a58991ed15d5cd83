"""The fewest tricks that a seat can take with its trumps, found by trying all hands of the others and all plays.

All seats, including the seat itself, choose the hands and the play that give it the fewest: that is "irrespective of
how the cards are played" (R6). R5 binds every seat. Cards are pairs (suit, rank); suit 0 is trump.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

Card = tuple[int, int]
Hands = tuple[frozenset[Card], ...]
TRUMP = 0


def fewest_trump_tricks(
    hand: frozenset[Card], unseen: frozenset[Card], sizes: tuple[int, ...], trick: tuple[Card, ...]
) -> int:
    """The fewest tricks that the seat can take with trumps, from a trick to which it plays next.

    `sizes`: how many cards each of the others holds, first those that have yet to play to this trick; `unseen`: the
    cards of which they may hold any.
    """
    return min(_fewest((hand, *others), len(trick), trick, 0) for others in _deals(unseen, sizes))


def _deals(unseen: frozenset[Card], sizes: tuple[int, ...]) -> Iterator[Hands]:
    if not sizes:
        yield ()
        return
    for chosen in combinations(sorted(unseen), sizes[0]):
        held = frozenset(chosen)
        for rest in _deals(unseen - held, sizes[1:]):
            yield (held, *rest)


@cache
def _fewest(hands: Hands, laid: int, trick: tuple[Card, ...], turn: int) -> int:
    """`hands[0]` is the seat's; `turn` is the hand that plays next, after `laid` cards."""
    if laid == len(hands):
        winner = (turn + trick.index(best(trick))) % len(hands)
        mine = int(winner == 0 and best(trick)[0] == TRUMP)
        return mine + (_fewest(hands, 0, (), winner) if hands[0] else 0)
    return min(
        _fewest(
            (*hands[:turn], hands[turn] - {card}, *hands[turn + 1 :]), laid + 1, (*trick, card), (turn + 1) % len(hands)
        )
        for card in allowed(hands[turn], trick)
    )


def forget() -> None:
    """Frees the memory of the search."""
    _fewest.cache_clear()


def allowed(hand: frozenset[Card], trick: tuple[Card, ...]) -> list[Card]:
    """R5.2 to R5.5."""
    if not trick:
        return sorted(hand)
    able = [card for card in hand if card[0] == trick[0][0]] or [card for card in hand if card[0] == TRUMP]
    return [card for card in able if best((*trick, card)) == card] or able or sorted(hand)


def best(trick: tuple[Card, ...]) -> Card:
    """R5.1."""
    trumps = [card for card in trick if card[0] == TRUMP]
    return max(trumps or [card for card in trick if card[0] == trick[0][0]])
