"""The rating of a contest: all matches at once, so that their order plays no part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings.belief import MU, SIGMA, Rating, by_rank, draw_probability_of
from bourre_referee.ratings.free_for_all import MOST_PASSES, FreeForAll, draw_margin
from bourre_referee.ratings.gaussian import NOTHING, Gaussian

PRIOR = Gaussian(1 / SIGMA**2, MU / SIGMA**2)
AT_REST = 0.0001
"""Sweeps end when no bot moves by more than this share of its sigma, apart from what moves all alike."""
FEWEST_SWEEPS, MOST_SWEEPS = 3, 100


def rate(
    results: Iterable[MatchResult], bots: Sequence[str], *, draw_probability: float | None = None
) -> dict[str, Rating]:
    """The rating of every bot after these matches, each a free-for-all by rank; the same in whatever order they come.

    Batch TrueSkill without drift (tau = 0): every match keeps its message about each of its bots, and is asked again,
    what is known from all the others taken as given, until nothing moves; then all are shifted so that those who
    played have 25 on average. `draw_probability` as in `rate_in_order`. ValueError for a bot that is not among `bots`.
    """
    matches = sorted(results, key=lambda result: (result.match, sorted((seat.bot, seat.rank) for seat in result.seats)))
    sweeps = _Sweeps(matches, bots, draw_margin(draw_probability_of(matches, draw_probability)))
    sweeps.run()
    return sweeps.ratings()


class _Sweeps:
    """What is known of each bot, and what each match has added to it."""

    def __init__(self, matches: Sequence[MatchResult], bots: Sequence[str], margin: float) -> None:
        self._known = dict.fromkeys(bots, PRIOR)
        seats = [by_rank(match, self._known) for match in matches]
        self._played = [[seat.bot for seat in match] for match in seats]
        self._matches = [FreeForAll([seat.rank for seat in match], margin) for match in seats]
        self._told = [[NOTHING] * len(match) for match in seats]

    def run(self) -> None:
        """Sweeps until at rest."""
        for sweep in range(1, MOST_SWEEPS + 1):
            before = dict(self._known)
            for match in range(len(self._played)):
                self._ask(match, passes=MOST_PASSES if sweep == 1 else 1)
            if sweep >= FEWEST_SWEEPS and self._moved(before) < AT_REST:
                return

    def ratings(self) -> dict[str, Rating]:
        """The ratings, centred."""
        played = {bot for match in self._played for bot in match}
        shift = MU - sum(self._known[bot].mu for bot in played) / len(played) if played else 0.0
        return {
            bot: Rating(known.mu + shift * (bot in played), 1 / sqrt(known.pi)) for bot, known in self._known.items()
        }

    def _ask(self, match: int, passes: int) -> None:
        bots = self._played[match]
        others = [self._known[bot].over(told) for bot, told in zip(bots, self._told[match], strict=True)]
        self._told[match] = self._matches[match].evidence(others, passes)
        for bot, other, told in zip(bots, others, self._told[match], strict=True):
            self._known[bot] = other.times(told)

    def _moved(self, before: dict[str, Gaussian]) -> float:
        moves = {bot: known.mu - before[bot].mu for bot, known in self._known.items()}
        common = sum(moves.values()) / max(1, len(moves))
        return max((abs(move - common) * sqrt(self._known[bot].pi) for bot, move in moves.items()), default=0.0)
