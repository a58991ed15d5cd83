"""Cards dealt to constrained hands: random dealing gives each valid assignment equally often, and search finds one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from random import Random

import pytest

from bourre.rules.cards import DECK, Suit, card_set
from bourre.sampling.dealing import Dealing, search
from bourre.sampling.evidence import Evidence, Holding

Way = tuple[int, ...]


def cards(text: str) -> int:
    """The set of cards that these letters stand for: a is the lowest of the deck."""
    return card_set(DECK[ord(letter) - ord("a")] for letter in text)


def holding(seat: int, unknown: int, possible: str) -> Holding:
    return Holding(seat, 0, unknown, cards(possible), gathered=0, most_gathered=0, plays=())


def all_ways(holdings: list[Holding], pool: int) -> Iterator[Way]:
    """Every assignment that fits, hand by hand."""
    if not holdings:
        yield ()
        return
    first, *others = holdings
    for hand in combinations([card for card in DECK if (pool & first.possible) >> card & 1], first.unknown):
        for way in all_ways(others, pool & ~card_set(hand)):
            yield (card_set(hand), *way)


CASES = {
    "overlapping": [holding(0, 2, "abcd"), holding(1, 2, "cdefgh")],
    "nested": [holding(0, 2, "abc"), holding(1, 1, "abcde"), holding(2, 2, "abcdefgh")],
    "a ring": [holding(0, 1, "abc"), holding(1, 1, "cde"), holding(2, 1, "efa"), holding(3, 2, "abcdef")],
    "tight": [holding(0, 2, "abc"), holding(1, 1, "ab"), holding(2, 1, "cd"), holding(3, 1, "cdef")],
}


@pytest.mark.parametrize("holdings", CASES.values(), ids=CASES)
def test_every_assignment_comes_equally_often(holdings: list[Holding]) -> None:
    ways = list(all_ways(holdings, cards("abcdefgh")))
    dealing = Dealing(Evidence(1.0, cards("abcdefgh"), tuple(holdings), thrown=0), Suit.S)
    counts: Counter[Way] = Counter()
    dice = Random(1)
    for _ in range(100 * len(ways)):
        hands = dealing.deal(dice)
        assert hands is not None
        counts[tuple(hands[each.seat] for each in holdings)] += 1
    assert set(counts) == set(ways)
    chi_square = sum((counts[way] - 100) ** 2 / 100 for way in ways)
    assert chi_square < len(ways) + 4 * sqrt(2 * len(ways))


@pytest.mark.parametrize("holdings", CASES.values(), ids=CASES)
def test_search_comes_to_many_assignments_and_to_no_wrong_one(holdings: list[Holding]) -> None:
    ways = set(all_ways(holdings, cards("abcdefgh")))
    found = set()
    for seed in range(200):
        hands = search(holdings, cards("abcdefgh"), Suit.S, Random(seed))
        assert hands is not None
        found.add(tuple(hands[each.seat] for each in holdings))
    assert found <= ways
    assert len(found) > min(len(ways), 200) / 3


def test_where_nothing_fits_nothing_is_dealt() -> None:
    two_cards_for_three = [holding(0, 1, "ab"), holding(1, 1, "ab"), holding(2, 1, "ab")]
    dealing = Dealing(Evidence(1.0, cards("abcdefgh"), tuple(two_cards_for_three), thrown=0), Suit.S)
    assert dealing.deal(Random(1)) is None


def test_a_search_gives_up_after_a_budget_for_all_hands_together(monkeypatch: pytest.MonkeyPatch) -> None:
    examined: list[int] = []

    class Counting(Holding):
        def fits(self, cards: int) -> bool:
            examined.append(cards)
            return self.seat == 0

    holdings = [Counting(seat, 0, 1, cards("abcdefgh"), 0, 0, ()) for seat in range(2)]
    for budget, most in ((30, 30), (1000, 8 * (1 + 7))):
        monkeypatch.setattr("bourre.sampling.dealing.BUDGET", budget)
        examined.clear()
        assert search(holdings, cards("abcdefgh"), Suit.S, Random(1)) is None
        assert len(examined) == most
