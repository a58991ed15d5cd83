"""Every two bots side by side: raw, and in format `duplicate` less luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, Estimate, estimate_per_100
from bourre_referee.statistics.tally import tally_of


@dataclass(frozen=True, slots=True)
class PairFigures:
    """What one bot won more than another, in chips per 100 deals, over the matches in which both sat."""

    one: str
    other: str
    raw: Estimate
    adjusted: Estimate | None
    """Less the luck of the cards by the baseline of the terms; None in format `session`."""
    fitted: Estimate | None = None
    """Corrected by what fits the contest's own deals; None unless asked for, and where that does not help."""


def pair_figures(bots: Sequence[str], results: Sequence[MatchResult]) -> tuple[PairFigures, ...]:
    """Estimate the difference of every two bots that met, in this order of the bots."""
    tally = tally_of(results)
    found = []
    for one, other in combinations(bots, 2):
        raw = estimate_per_100(tally.difference(one, other), tally.unit)
        if not raw.deals:
            continue
        less_luck = tally.difference(one, other, adjusted=True) if tally.adjusted_pairs is not None else None
        adjusted = estimate_per_100(less_luck, tally.unit * ADJUSTED_PARTS) if less_luck else None
        found.append(PairFigures(one, other, raw, adjusted))
    return tuple(found)
