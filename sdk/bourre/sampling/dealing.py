"""Deals hidden cards at random, consistent with the seen ones. If random deals keep failing, it searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

from bourre.rules.cards import card_set, cards_in
from bourre.sampling.hypotheses import HandsHypothesis, Holding

TRIES = 200
"""The attempts at exact sampling before `search` takes over."""


class Dealing:
    """Fills the holdings of one hypothesis, any number of times.

    All fitting assignments are equally likely. Holdings draw their cards in turn, the most constrained first. This
    favours some assignments, so each is accepted in proportion to its number of choices, relative to the largest
    possible number. After TRIES failures, a search finds a fitting assignment, not quite uniformly.
    """

    def __init__(self, hypothesis: HandsHypothesis, trumps: int) -> None:
        """`trumps` is the set of all trumps, empty until they are named."""
        self.hypothesis = hypothesis
        self._trumps = trumps
        self.holdings = sorted(hypothesis.holdings, key=lambda holding: self._choices(holding) - holding.unknown)
        """The holdings in the order in which they draw."""
        self.most = [self._most_ways(at) for at in range(len(self.holdings))]
        """The most numbers of choices of each."""

    def deal(self, rng: Random) -> dict[int, int] | None:
        """Returns the unknown cards by seat as sets; None if nothing fits."""
        for _ in range(TRIES):
            hands = self._try(rng)
            if hands is not None:
                return hands
        return search(self.holdings, self.hypothesis.pool, self._trumps, rng)

    def _try(self, rng: Random) -> dict[int, int] | None:
        left = self.hypothesis.pool
        hands = {}
        accepted = 1.0
        for holding, most in zip(self.holdings, self.most, strict=True):
            choices = cards_in(left & holding.possible)
            if len(choices) < holding.unknown:
                return None
            accepted *= comb(len(choices), holding.unknown) / most
            hand = card_set(rng.sample(choices, holding.unknown))
            hands[holding.seat] = hand
            left ^= hand
        if accepted < 1 and rng.random() >= accepted:
            return None
        return hands if all(holding.fits(hands[holding.seat]) for holding in self.holdings) else None

    def _choices(self, holding: Holding) -> int:
        return (holding.possible & self.hypothesis.pool).bit_count()

    def _most_ways(self, at: int) -> int:
        """Returns the most ways to fill a holding, if earlier holdings take as few of its cards as possible."""
        holding = self.holdings[at]
        taken = 0
        for earlier in self.holdings[:at]:
            elsewhere = earlier.possible & ~holding.possible & self.hypothesis.pool
            taken += max(0, earlier.unknown - elsewhere.bit_count())
        return comb(max(0, self._choices(holding) - taken), holding.unknown)


BUDGET = 20_000
"""The most hands that a search examines."""


def search(holdings: Sequence[Holding], pool: int, trumps: int, rng: Random) -> dict[int, int] | None:
    """Returns the unknown cards by seat as sets; None if nothing fits or the budget is spent.

    Hands that must fit R6 come first. It tries few trumps first, because such hands are seldom a cinch.
    """
    ordered = sorted(holdings, key=lambda holding: not holding.plays)
    budget = iter(range(BUDGET))
    return _fill(ordered, pool, trumps, rng, budget)


def _fill(
    holdings: Sequence[Holding], pool: int, trumps: int, rng: Random, budget: Iterator[int]
) -> dict[int, int] | None:
    if not holdings:
        return {}
    first, *others = holdings
    choices = list(cards_in(pool & first.possible))
    rng.shuffle(choices)
    if first.plays:
        choices.sort(key=lambda card: trumps >> card & 1)
    for cards in combinations(choices, first.unknown):
        if next(budget, None) is None:
            return None
        hand = card_set(cards)
        if _can_be_filled(others, pool & ~hand) and first.fits(hand):
            hands = _fill(others, pool & ~hand, trumps, rng, budget)
            if hands is not None:
                return {first.seat: hand, **hands}
    return None


def _can_be_filled(holdings: Sequence[Holding], pool: int) -> bool:
    """Applies Hall's theorem: all holdings can be filled if every group of them has as many cards as it needs."""
    groups = [(0, 0)]
    for holding in holdings:
        groups += [(cards | holding.possible, needed + holding.unknown) for cards, needed in groups]
    return all((cards & pool).bit_count() >= needed for cards, needed in groups)
