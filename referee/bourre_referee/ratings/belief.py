"""What is believed of a bot's skill, and the model behind it (Herbrich, Minka, Graepel: TrueSkill, 2006)."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import pairwise

from bourre_referee.model.results import MatchResult, SeatResult

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


def draw_share(results: Iterable[MatchResult]) -> float:
    """How many of all neighbours in the ranking of a match are tied, from 0 to 1; 0 without matches."""
    tied = neighbours = 0
    for match in results:
        for better, worse in pairwise(sorted(seat.rank for seat in match.seats)):
            tied += better == worse
            neighbours += 1
    return tied / neighbours if neighbours else 0.0


def draw_probability_of(results: Iterable[MatchResult], given: float | None) -> float:
    """The probability that two neighbours in a ranking are tied: as given, else the share of the results, bounded."""
    share = draw_share(results) if given is None else given
    return min(max(share, FEWEST_DRAWS), MOST_DRAWS)


def by_rank(match: MatchResult, bots: Container[str]) -> list[SeatResult]:
    """The seats of a match, best first, equal ones by name. ValueError for a bot that is not among these."""
    seats = sorted(match.seats, key=lambda seat: (seat.rank, seat.bot))
    if strangers := [seat.bot for seat in seats if seat.bot not in bots]:
        raise ValueError(f"match {match.match} was played by {strangers[0]}, which is not among the bots to be rated")
    return seats
