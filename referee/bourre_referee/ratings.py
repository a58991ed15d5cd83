"""TrueSkill ratings of bots, from results in schedule order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import trueskill

from bourre_referee import truncated
from bourre_referee.results import MatchResult

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
"""How much the play of one match scatters about the skill."""

FEWEST_DRAWS, MOST_DRAWS = 0.001, 0.999
"""Bounds of the probability of a draw: a tie that is thought impossible, or certain, rates nothing."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a bot's skill. Sigma is no confidence interval: it knows nothing of how far luck carries."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def score(self) -> float:
        """What the bot is worth at the least, as far as this belief goes; standings are sorted by it."""
        return self.mu - 3 * self.sigma


def rate(
    results: Iterable[MatchResult],
    bots: Sequence[str],
    *,
    tau: float = 0.0,
    draw_probability: float | None = None,
) -> dict[str, Rating]:
    """The rating of every bot after these matches, each a free-for-all by rank, in the order given.

    Feed schedule order: in another one the numbers come out a little different. `tau` is added to every sigma before
    a match: 0 for bots that do not change, as in a contest. `draw_probability` is that of two neighbouring ranks; by
    default what the results show. ValueError for a bot that is not among `bots`.
    """
    matches = list(results)
    draws = draw_share(matches) if draw_probability is None else draw_probability
    environment = _environment(tau, min(max(draws, FEWEST_DRAWS), MOST_DRAWS))
    ratings = dict.fromkeys(bots, Rating())
    for match in matches:
        ratings |= _rated(match, ratings, environment)
    return ratings


def draw_share(results: Iterable[MatchResult]) -> float:
    """How many of all neighbours in the ranking of a match are tied, from 0 to 1; 0 without matches."""
    tied = neighbours = 0
    for match in results:
        for better, worse in pairwise(sorted(seat.rank for seat in match.seats)):
            tied += better == worse
            neighbours += 1
    return tied / neighbours if neighbours else 0.0


def _rated(match: MatchResult, before: dict[str, Rating], environment: Any) -> dict[str, Rating]:
    """The bots of one match, rated anew. Their seats play no part."""
    seats = sorted(match.seats, key=lambda seat: seat.bot)
    if strangers := [seat.bot for seat in seats if seat.bot not in before]:
        raise ValueError(f"match {match.match} was played by {strangers[0]}, which is not among the bots to be rated")
    old = [before[seat.bot] for seat in seats]
    groups = [(environment.create_rating(rating.mu, rating.sigma),) for rating in old]
    new = environment.rate(groups, ranks=[seat.rank for seat in seats])
    return {seat.bot: Rating(rating.mu, rating.sigma) for seat, (rating,) in zip(seats, new, strict=True)}


def _environment(tau: float, draw_probability: float) -> Any:
    """An environment of our own, with functions that hold for bots however far apart.

    Those of the package (0.4.5) raise FloatingPointError, or lose all digits, about 38 standard deviations out.
    """
    normal = truncated.mass_below, truncated.density, truncated.quantile
    environment: Any = trueskill.TrueSkill(MU, SIGMA, BETA, tau, draw_probability, backend=normal)
    environment.v_win, environment.w_win = truncated.v_win, truncated.w_win
    environment.v_draw, environment.w_draw = truncated.v_draw, truncated.w_draw
    return environment
