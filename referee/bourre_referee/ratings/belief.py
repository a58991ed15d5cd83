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
    """The precision, 1 / sigma squared. It is 0 if nothing is known."""
    tau: float
    """The precision times the mean."""

    def multiply(self, other: Gaussian) -> Gaussian:
        """Returns the product, which combines two independent messages."""
        return Gaussian(self.pi + other.pi, self.tau + other.tau)

    def divide(self, other: Gaussian) -> Gaussian:
        """Removes one Gaussian factor from another."""
        return Gaussian(self.pi - other.pi, self.tau - other.tau)

    def power(self, exponent: float) -> Gaussian:
        """Returns the power, which counts this message `exponent` times."""
        return Gaussian(self.pi * exponent, self.tau * exponent)

    def shift(self, distance: float) -> Gaussian:
        """Returns the same distribution with its mean moved up by `distance`."""
        return Gaussian(self.pi, self.tau + self.pi * distance)

    @property
    def mu(self) -> float:
        """The mean, or 0 if nothing is known."""
        return self.tau / self.pi if self.pi else 0.0

    def add_variance(self, variance: float) -> Gaussian:
        """Adds independent noise of this variance and mean 0."""
        share = 1 / (1 + variance * self.pi)
        return Gaussian(self.pi * share, self.tau * share)


UNIFORM = Gaussian(0.0, 0.0)
"""The message without information."""


MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
"""The standard deviation of the performance in one match around the skill."""

MIN_DRAW_PROBABILITY, MAX_DRAW_PROBABILITY = 0.001, 0.999
"""Bounds of the draw probability. The model cannot rate a tie that it considers impossible or certain."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a bot's skill. Sigma is no confidence interval: TrueSkill does not model the luck in a result."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def score(self) -> float:
        """A cautious estimate of the skill, by which standings are sorted: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def draw_share(results: Iterable[MatchResult], with_stand_ins: bool = True) -> float:
    """Returns the share of tied neighbours in the rankings of the matches, from 0 to 1. It is 0 without matches."""
    return tied_share(
        sorted(seat.rank for seat in match.seats if with_stand_ins or not match.is_by_stand_in(seat))
        for match in results
    )


def tied_share(rankings: Iterable[Sequence[int]]) -> float:
    """Returns the share of tied neighbours in these rankings, each in ascending order. It is 0 without rankings."""
    tied = neighbours = 0
    for ranks in rankings:
        neighbours += max(0, len(ranks) - 1)
        tied += len(ranks) - len({*ranks})
    return tied / neighbours if neighbours else 0.0


def choose_draw_probability(results: Iterable[MatchResult], given: float | None, with_stand_ins: bool = True) -> float:
    """Returns the given probability that neighbours in a ranking tie, or else the share of ties, within bounds."""
    return bound_draw_probability(draw_share(results, with_stand_ins) if given is None else given)


def bound_draw_probability(probability: float) -> float:
    """Limits the probability to values that TrueSkill can use."""
    return min(max(probability, MIN_DRAW_PROBABILITY), MAX_DRAW_PROBABILITY)


def seats_by_rank(match: MatchResult, bots: Container[str], with_stand_ins: bool = True) -> list[SeatResult]:
    """Returns the seats of a match, best first, tied ones by name. Raises ValueError for a bot not among `bots`."""
    seats = sorted(match.seats, key=lambda seat: (seat.rank, seat.bot))
    if unknown := [seat.bot for seat in seats if seat.bot not in bots]:
        raise ValueError(f"match {match.match} was played by {unknown[0]}, which is not among the bots to be rated")
    return [seat for seat in seats if with_stand_ins or not match.is_by_stand_in(seat)]


class Outcome(NamedTuple):
    """The part of a match that ratings use: its bots, best first, tied ones by name, and their ranks."""

    match: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]


def outcome_of(match: MatchResult, bots: Container[str], with_stand_ins: bool = True) -> Outcome:
    """Returns the outcome of a match, with or without the seats in which a stand-in played most deals.

    Raises ValueError for a bot that is not in `bots`.
    """
    seats = seats_by_rank(match, bots, with_stand_ins)
    return Outcome(match.match, tuple(seat.bot for seat in seats), tuple(seat.rank for seat in seats))


Anchors = Mapping[str, Rating]
"""The given ratings by bot. Results do not move an anchor. Its skill varies around mu by sigma from match to match."""

NO_ANCHORS: Anchors = MappingProxyType({})

MIN_SIGMA = 1e-6
"""The smallest sigma of an anchor. Next to the noise of play, a smaller one changes no digit."""


def check_anchors(anchors: Anchors, bots: Container[str]) -> None:
    """Raises ValueError for an anchor that is not among `bots`, or whose mu or sigma is invalid."""
    for bot, rating in anchors.items():
        if bot not in bots:
            raise ValueError(f"the anchor {bot} is not among the bots to be rated")
        if not isfinite(rating.mu) or not 0 <= rating.sigma < inf:
            raise ValueError(f"the anchor {bot} needs a finite mu and a sigma from 0, not {rating.mu}, {rating.sigma}")


def anchor_belief(rating: Rating) -> Gaussian:
    """Returns the belief about an anchor before any match."""
    precision = 1 / max(rating.sigma, MIN_SIGMA) ** 2
    return Gaussian(precision, precision * rating.mu)
