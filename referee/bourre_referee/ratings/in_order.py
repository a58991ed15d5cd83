"""One pass over the matches by the package `trueskill`: a yardstick, to hold our own ratings against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import trueskill

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import truncated
from bourre_referee.ratings.belief import BETA, MU, SIGMA, Rating, by_rank, draw_probability_of


def rate_in_order(
    results: Iterable[MatchResult],
    bots: Sequence[str],
    *,
    tau: float = 0.0,
    draw_probability: float | None = None,
) -> dict[str, Rating]:
    """The rating of every bot after these matches, each a free-for-all by rank, in the order given.

    In another order the numbers come out different, and often the ranking: see `rate`. `tau` is added to every sigma
    before a match: 0 for bots that do not change, as in a contest. `draw_probability` is that of two neighbouring
    ranks; by default what the results show. ValueError for a bot that is not among `bots`.
    """
    ratings = dict.fromkeys(bots, Rating())
    for _, rated in ratings_by_match(results, bots, tau=tau, draw_probability=draw_probability):
        ratings |= rated
    return ratings


def ratings_by_match(
    results: Iterable[MatchResult],
    bots: Sequence[str],
    *,
    tau: float = 0.0,
    draw_probability: float | None = None,
) -> Iterator[tuple[MatchResult, dict[str, Rating]]]:
    """Likewise, match by match: each with the new ratings of its own bots, best first."""
    matches = list(results)
    environment = _environment(tau, draw_probability_of(matches, draw_probability))
    ratings = dict.fromkeys(bots, Rating())
    for match in matches:
        rated = _rated(match, ratings, environment)
        ratings |= rated
        yield match, rated


def _rated(match: MatchResult, before: dict[str, Rating], environment: Any) -> dict[str, Rating]:
    """The bots of one match, rated anew. Their seats play no part."""
    seats = by_rank(match, before)
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
