"""Updates ratings match by match, with the package `trueskill`, for ladders and rating curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any

import trueskill

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import free_for_all
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE, VERSION
from bourre_referee.ratings.belief import (
    BETA,
    MIN_DRAW_PROBABILITY,
    MU,
    NO_ANCHORS,
    SIGMA,
    Anchors,
    Gaussian,
    Outcome,
    Rating,
    anchor_belief,
    check_anchors,
    choose_draw_probability,
    outcome_of,
)
from bourre_referee.ratings.free_for_all import draw_margin
from bourre_referee.ratings.tied import match_model


class SequentialRatings:
    """The ratings after the matches so far, each a free-for-all by rank. They depend on the order of the matches."""

    def __init__(
        self,
        bots: Iterable[str],
        draw_probability: float = MIN_DRAW_PROBABILITY,
        tau: float = 0.0,
        anchors: Anchors = NO_ANCHORS,
        version: int = VERSION,
    ) -> None:
        """`draw_probability` is the probability that two neighbours in the ranking of a match tie.

        The variance of a rating grows by `tau` squared before each match of its bot, and never between them. Use 0 for
        bots that do not change. `anchors` keep their given ratings. `version` is as in `rate`. Raises ValueError for an
        anchor that is not among `bots`, or without finite numbers.
        """
        self._ratings = dict.fromkeys(bots, Rating())
        check_anchors(anchors, self._ratings)
        self._ratings |= anchors
        self._anchors = dict(anchors)  # a copy, because a proxy cannot be sent to another process
        self._with_stand_ins = version < FIELD_MODEL_SINCE
        self._margin = draw_margin(draw_probability)
        self._environment = _environment(tau, draw_probability)

    def __contains__(self, bot: str) -> bool:
        """Returns whether a bot is to be rated."""
        return bot in self._ratings

    def join(self, bot: str, rating: Rating | None = None) -> None:
        """Adds a bot, by default without any knowledge of its skill. Raises ValueError if the bot is there already."""
        if bot in self._ratings:
            raise ValueError(f"{bot} is rated already, so it cannot join")
        self._ratings[bot] = rating or Rating()

    def add(self, match: MatchResult) -> dict[str, Rating]:
        """Rates one match and returns its bots' new ratings, best first. Raises ValueError for an unknown bot."""
        return self.add_outcome(outcome_of(match, self._ratings, self._with_stand_ins))

    def add_outcome(self, outcome: Outcome) -> dict[str, Rating]:
        """Rates one match by its outcome, whose bots must be known. Returns the same as `add`."""
        _, bots, ranks = outcome
        if len(bots) < 2:  # stand-ins played for the others
            return {}
        package_can = len(set(ranks)) == len(ranks) and self._anchors.keys().isdisjoint(bots)
        after = (self._rate_with_package if package_can else self._rate_with_messages)(bots, ranks)
        changes = {bot: self._anchors.get(bot, rating) for bot, rating in zip(bots, after, strict=True)}
        self._ratings |= changes
        return changes

    def rating(self, bot: str) -> Rating:
        """Returns the rating of one bot. Raises KeyError if the bot is unknown."""
        return self._ratings[bot]

    def ratings(self) -> dict[str, Rating]:
        """Returns the rating of every bot."""
        return dict(self._ratings)

    def set_drift(self, tau: float) -> None:
        """Sets `tau` for all later matches. Use 0 to freeze the ratings, as in final rounds."""
        self._environment.tau = tau

    def _rate_with_package(self, bots: Sequence[str], ranks: Sequence[int]) -> list[Rating]:
        create, before = self._environment.create_rating, [self._ratings[bot] for bot in bots]
        after = self._environment.rate([(create(one.mu, one.sigma),) for one in before], ranks=ranks)
        return [Rating(rating.mu, rating.sigma) for (rating,) in after]

    def _rate_with_messages(self, bots: Sequence[str], ranks: Sequence[int]) -> list[Rating]:
        """Rates without the package, which depends on the order of tied bots, and whose `tau` moves anchors."""
        beliefs = [self._belief_before_match(bot) for bot in bots]
        messages = match_model(ranks, self._margin).pass_messages(beliefs)
        after = [belief.multiply(message) for belief, message in zip(beliefs, messages, strict=True)]
        return [Rating(belief.mu, 1 / sqrt(belief.pi)) for belief in after]

    def _belief_before_match(self, bot: str) -> Gaussian:
        rating = self._ratings[bot]
        if bot in self._anchors:
            return anchor_belief(rating)
        variance = rating.sigma**2 + self._environment.tau**2
        return Gaussian(1 / variance, rating.mu / variance)


def rate_by_match(
    results: Iterable[MatchResult],
    bots: Sequence[str],
    *,
    tau: float = 0.0,
    draw_probability: float | None = None,
    anchors: Anchors = NO_ANCHORS,
    version: int = VERSION,
) -> Iterator[tuple[MatchResult, dict[str, Rating]]]:
    """Yields each match with its bots' new ratings, best first. Parameters and errors are as in `rate_in_order`."""
    matches = list(results)
    probability = choose_draw_probability(matches, draw_probability, version < FIELD_MODEL_SINCE)
    ratings = SequentialRatings(bots, probability, tau, anchors, version)
    for match in matches:
        yield match, ratings.add(match)


def rate_in_order(
    results: Iterable[MatchResult],
    bots: Sequence[str],
    *,
    tau: float = 0.0,
    draw_probability: float | None = None,
    anchors: Anchors = NO_ANCHORS,
    version: int = VERSION,
) -> dict[str, Rating]:
    """Rates every bot by these matches, one after the other. `rate` is the rating that does not depend on the order.

    `draw_probability` is that of two neighbouring ranks, by default the share of ties in the results. `tau` is as in
    `SequentialRatings`, and `version` as in `rate`. Anchors keep their ratings. Raises ValueError for a bot or an
    anchor that is not among `bots`.
    """
    ratings = dict.fromkeys(bots, Rating()) | dict(anchors)
    matches = rate_by_match(results, bots, tau=tau, draw_probability=draw_probability, anchors=anchors, version=version)
    for _, changes in matches:
        ratings |= changes
    return ratings


def _environment(tau: float, draw_probability: float) -> Any:
    """Returns a new environment, not the global one, with functions that work for bots however far apart.

    The functions of the package (0.4.5) raise FloatingPointError, or lose all digits, about 38 standard deviations out.
    """
    normal = free_for_all.cdf, free_for_all.pdf, free_for_all.quantile
    environment: Any = trueskill.TrueSkill(MU, SIGMA, BETA, tau, draw_probability, backend=normal)
    environment.v_win, environment.w_win = free_for_all.v_win, free_for_all.w_win
    environment.v_draw, environment.w_draw = free_for_all.v_draw, free_for_all.w_draw
    return environment
