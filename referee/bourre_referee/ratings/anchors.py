"""Anchors: bots whose ratings are given, so that they set the scale for all others."""

from __future__ import annotations

from collections.abc import Container, Mapping
from math import inf, isfinite
from types import MappingProxyType

from bourre_referee.ratings.belief import Rating
from bourre_referee.ratings.gaussian import Gaussian

Anchors = Mapping[str, Rating]
"""The given ratings by bot. No result moves an anchor; its skill varies around mu by sigma from match to match."""

NO_ANCHORS: Anchors = MappingProxyType({})

MIN_SIGMA = 1e-6
"""A smaller sigma, 0 too, counts as this one; beside the noise of play, the difference is in no digit."""


def check_anchors(anchors: Anchors, bots: Container[str]) -> None:
    """Raises ValueError for an anchor that is not among `bots`, or whose mu or sigma is no rating."""
    for bot, rating in anchors.items():
        if bot not in bots:
            raise ValueError(f"the anchor {bot} is not among the bots to be rated")
        if not isfinite(rating.mu) or not 0 <= rating.sigma < inf:
            raise ValueError(f"the anchor {bot} needs a finite mu and a sigma from 0, not {rating.mu}, {rating.sigma}")


def anchor_belief(rating: Rating) -> Gaussian:
    """Returns what is known of an anchor in any match."""
    precision = 1 / max(rating.sigma, MIN_SIGMA) ** 2
    return Gaussian(precision, precision * rating.mu)
