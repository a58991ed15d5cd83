"""The formula of R6.1 against every hand and every play of small decks: never missed, never false."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from bourre.rules import cards, tricks
from bourre.rules.house import HouseRules
from tests.rules.cinch_search import Card, fewest_trump_tricks, forget

LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("trumps", "plain", "held", "playing", "laid"),
    [
        (5, (4,), 3, 2, 0),
        (7, (4,), 4, 2, 0),
        (6, (3, 2), 4, 2, 0),
        (5, (4,), 3, 3, 0),
        (5, (4,), 2, 3, 1),
        (5, (3, 2), 3, 3, 1),
        (6, (3,), 2, 4, 2),
        pytest.param(8, (4,), 5, 2, 0, marks=LONG),
        pytest.param(5, (5,), 2, 4, 2, marks=LONG),
    ],
)
def test_r6_1_the_formula_is_exact(trumps: int, plain: tuple[int, ...], held: int, playing: int, laid: int) -> None:
    """`trumps` and `plain` cards of each suit, the highest; the seat holds `held` and plays after `laid` cards."""
    pack = [(suit, rank) for suit, count in enumerate((trumps, *plain)) for rank in range(13 - count, 13)]
    others = (held,) * (playing - 1 - laid) + (held - 1,) * laid
    found = set()
    for trick in permutations(pack, laid):
        left = frozenset(pack) - set(trick)
        for hand in map(frozenset, combinations(sorted(left), held)):
            fewest = fewest_trump_tricks(hand, left - hand, others, trick)
            for won in range(3):
                found.add(sure := won + fewest >= 3)
                asked = position(hand, trick, pack, playing, won)
                assert tricks.is_cinch(asked) == sure, (sorted(hand), trick, won, fewest)
    forget()
    assert found == {True, False}


def position(
    hand: frozenset[Card], trick: tuple[Card, ...], pack: list[Card], playing: int, won: int
) -> tricks.Position:
    """The position in the words of the rules; the cards left out of the small deck count as played."""
    return tricks.Position(
        hand=cards.card_set(map(real, hand)),
        trick=tuple(map(real, trick)),
        trump=cards.Suit.S,
        playing=playing,
        tricks_won=won,
        seen=cards.card_set(set(cards.DECK) - set(map(real, pack))),
        dead=0,
        house=HouseRules(),
    )


def real(card: Card) -> cards.Card:
    """A card of the search as a card of the rules; suit 0, the trump, is spades."""
    suit, rank = card
    return cards.Card("23456789TJQKA"[rank] + "SHDC"[suit])
