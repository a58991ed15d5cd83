"""Finds hands for holdings where random attempts fail: backtracking, pruned by Hall's condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from bourre.rules.cards import card_set, cards_in
from bourre.sampling.evidence import Holding

BUDGET = 20_000
"""The number of hands that a search examines before it gives up."""


def search(holdings: Sequence[Holding], pool: int, trumps: int, rng: Random) -> dict[int, int] | None:
    """Returns the unknown cards by seat, as sets, or None if nothing fits or the budget is spent.

    Hands that must fit R6 come first, and those with few trumps are tried first, because they are seldom a cinch.
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
