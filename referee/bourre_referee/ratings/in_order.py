"""Ratings one match after the other, by the package `trueskill`: while a contest goes on, and to draw how it went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any

import trueskill

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import truncated
from bourre_referee.ratings.belief import BETA, FEWEST_DRAWS, MU, SIGMA, Rating, by_rank, draw_probability_of
from bourre_referee.ratings.free_for_all import draw_margin
from bourre_referee.ratings.gaussian import Gaussian
from bourre_referee.ratings.tied import single_match


class InOrder:
    """The ratings after the matches so far, each a free-for-all by rank. In another order they come out different."""

    def __init__(self, bots: Iterable[str], draw_probability: float = FEWEST_DRAWS, tau: float = 0.0) -> None:
        """`draw_probability` is that of two neighbours in the ranking of a match.

        `tau` is added to every sigma before a match: 0 for bots that do not change, as in a contest.
        """
        self._ratings = dict.fromkeys(bots, Rating())
        self._margin = draw_margin(draw_probability)
        self._environment = _environment(tau, draw_probability)
        self._played: set[str] = set()

    def add(self, match: MatchResult) -> dict[str, Rating]:
        """Takes a match into account; returns the new ratings of its bots, best first. ValueError for a stranger."""
        seats = by_rank(match, self._ratings)
        ranks = [seat.rank for seat in seats]
        rated = self._by_package if len(set(ranks)) == len(ranks) else self._by_all_orders
        after = rated([self._ratings[seat.bot] for seat in seats], ranks)
        news = {seat.bot: rating for seat, rating in zip(seats, after, strict=True)}
        self._ratings |= news
        self._played |= news.keys()
        return news

    def ratings(self) -> dict[str, Rating]:
        """Of every bot."""
        return dict(self._ratings)

    def leaders(self, most: int) -> tuple[str, ...]:
        """The bots of the highest scores, best first, of those that have played."""
        return tuple(sorted(self._played, key=lambda bot: (-self._ratings[bot].score, bot))[:most])

    def _by_package(self, before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
        create = self._environment.create_rating
        after = self._environment.rate([(create(one.mu, one.sigma),) for one in before], ranks=ranks)
        return [Rating(rating.mu, rating.sigma) for (rating,) in after]

    def _by_all_orders(self, before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
        """For ties, which the package rates in the order in which bots are listed: that shows even in a draw of two."""
        drifted = [one.sigma**2 + self._environment.tau**2 for one in before]
        known = [Gaussian(1 / variance, one.mu / variance) for one, variance in zip(before, drifted, strict=True)]
        told = single_match(ranks, self._margin).evidence(known)
        after = [one.times(other) for one, other in zip(known, told, strict=True)]
        return [Rating(one.mu, 1 / sqrt(one.pi)) for one in after]


def rated_by_match(
    results: Iterable[MatchResult], bots: Sequence[str], *, tau: float = 0.0, draw_probability: float | None = None
) -> Iterator[tuple[MatchResult, dict[str, Rating]]]:
    """Each match with the ratings of its bots after it, best first; parameters and errors as of `rate_in_order`."""
    matches = list(results)
    ratings = InOrder(bots, draw_probability_of(matches, draw_probability), tau)
    for match in matches:
        yield match, ratings.add(match)


def rate_in_order(
    results: Iterable[MatchResult], bots: Sequence[str], *, tau: float = 0.0, draw_probability: float | None = None
) -> dict[str, Rating]:
    """The rating of every bot after these matches, in the order given; for one that does not mind it, see `rate`.

    `draw_probability` is that of two neighbouring ranks, by default what the results show; `tau` as of `InOrder`.
    ValueError for a bot that is not among `bots`.
    """
    ratings = dict.fromkeys(bots, Rating())
    for _, news in rated_by_match(results, bots, tau=tau, draw_probability=draw_probability):
        ratings |= news
    return ratings


def _environment(tau: float, draw_probability: float) -> Any:
    """An environment of our own, never the package's global one, with functions that hold for bots however far apart.

    Those of the package (0.4.5) raise FloatingPointError, or lose all digits, about 38 standard deviations out.
    """
    normal = truncated.mass_below, truncated.density, truncated.quantile
    environment: Any = trueskill.TrueSkill(MU, SIGMA, BETA, tau, draw_probability, backend=normal)
    environment.v_win, environment.w_win = truncated.v_win, truncated.w_win
    environment.v_draw, environment.w_draw = truncated.v_draw, truncated.w_draw
    return environment
