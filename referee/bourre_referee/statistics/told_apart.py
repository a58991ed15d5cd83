"""Which bots the results tell apart: pair by pair, and sure for the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import chance_of, meetings
from bourre_referee.statistics.holm import holm

LEVEL = 0.05
"""How many contests may tell any two equal bots apart."""


def pairs_apart(results: Sequence[MatchResult], bots: Sequence[str]) -> frozenset[frozenset[str]]:
    """The pairs that differ by more than chance explains, in `duplicate` less the luck of the draw.

    Each pair has the t-test of the matches in which both sat. Holm's correction holds the chance that any pair of equal
    bots is among them to LEVEL, however the pairs hang together. Pairs with fewer than two blocks have no test.
    """
    met = meetings(results, adjusted=True)
    tested = [pair for pair in combinations(bots, 2) if len(met.get(pair, ())) > 1]
    chances = holm([chance_of(met[pair]) for pair in tested])
    return frozenset(frozenset(pair) for pair, chance in zip(tested, chances, strict=True) if chance < LEVEL)
