"""The belief about a bot's skill, and the model behind it (Herbrich, Minka, Graepel: TrueSkill, 2006)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from types import MappingProxyType
from typing import NamedTuple

from bourre_referee.model.results import MatchResult, SeatResult


class Gaussian(NamedTuple):
    """A normal distribution, or a message about one."""

    pi: float
    """The precision, 1 / sigma squared; 0 if nothing is known."""
    tau: float
    """The precision times the mean."""

    def multiply(self, other: Gaussian) -> Gaussian:
        """Returns the product, which combines two independent pieces of knowledge."""
        return Gaussian(self.pi + other.pi, self.tau + other.tau)

    def divide(self, other: Gaussian) -> Gaussian:
        """Returns the quotient, which takes one piece of knowledge out again."""
        return Gaussian(self.pi - other.pi, self.tau - other.tau)

    def power(self, exponent: float) -> Gaussian:
        """Returns the power, which counts this knowledge `exponent` times."""
        return Gaussian(self.pi * exponent, self.tau * exponent)

    def shift(self, distance: float) -> Gaussian:
        """Returns the same distribution with its mean moved up by `distance`."""
        return Gaussian(self.pi, self.tau + self.pi * distance)

    @property
    def mu(self) -> float:
        """The mean; 0 if nothing is known."""
        return self.tau / self.pi if self.pi else 0.0

    def add_variance(self, variance: float) -> Gaussian:
        """Returns the distribution of this variable plus independent noise of this variance and mean 0."""
        share = 1 / (1 + variance * self.pi)
        return Gaussian(self.pi * share, self.tau * share)


UNIFORM = Gaussian(0.0, 0.0)
"""The message that says nothing."""


MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
"""The standard deviation of the play in one match around the skill."""

MIN_DRAW_PROBABILITY, MAX_DRAW_PROBABILITY = 0.001, 0.999
"""Bounds of the draw probability: a tie that the model thinks impossible, or certain, cannot be rated."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a bot's skill. Sigma is no confidence interval: it does not know how much luck is in a result."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def score(self) -> float:
        """A cautious estimate of the skill, by which standings are sorted: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def draw_share(results: Iterable[MatchResult]) -> float:
    """Returns the share of neighbours in the rankings of matches that are tied, from 0 to 1; 0 without matches."""
    return tied_share(sorted(seat.rank for seat in match.seats) for match in results)


def tied_share(rankings: Iterable[Sequence[int]]) -> float:
    """The share of tied pairs among all neighbours in these rankings, each in ascending order; 0 without rankings."""
    tied = neighbours = 0
    for ranks in rankings:
        neighbours += len(ranks) - 1
        tied += len(ranks) - len({*ranks})
    return tied / neighbours if neighbours else 0.0


def choose_draw_probability(results: Iterable[MatchResult], given: float | None) -> float:
    """Returns the given probability that neighbours in a ranking tie, or else their share in the results; bounded."""
    return bound_draw_probability(draw_share(results) if given is None else given)


def bound_draw_probability(probability: float) -> float:
    """The probability within the bounds that TrueSkill can rate with."""
    return min(max(probability, MIN_DRAW_PROBABILITY), MAX_DRAW_PROBABILITY)


def seats_by_rank(match: MatchResult, bots: Container[str]) -> list[SeatResult]:
    """Returns the seats of a match, best first, tied ones by name. Raises ValueError for a bot not among `bots`."""
    seats = sorted(match.seats, key=lambda seat: (seat.rank, seat.bot))
    if unknown := [seat.bot for seat in seats if seat.bot not in bots]:
        raise ValueError(f"match {match.match} was played by {unknown[0]}, which is not among the bots to be rated")
    return seats


class Outcome(NamedTuple):
    """What a rating takes from a match: its bots, best first, tied ones by name, and their ranks."""

    match: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]


def outcome_of(match: MatchResult, bots: Container[str]) -> Outcome:
    """The outcome of a match. Raises ValueError for a bot that is not in `bots`."""
    seats = seats_by_rank(match, bots)
    return Outcome(match.match, tuple(seat.bot for seat in seats), tuple(seat.rank for seat in seats))


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
