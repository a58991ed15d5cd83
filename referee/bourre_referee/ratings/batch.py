"""The rating of a contest: all matches at once, so that their order plays no part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum, sqrt

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings.belief import MU, SIGMA, Rating, by_rank, draw_probability_of
from bourre_referee.ratings.convergence import Coupling, Pace, centred, connected, remaining
from bourre_referee.ratings.free_for_all import MOST_PASSES, draw_margin
from bourre_referee.ratings.gaussian import NOTHING, Gaussian
from bourre_referee.ratings.tied import single_match

PRIOR = Gaussian(1 / SIGMA**2, MU / SIGMA**2)
AT_REST = 0.0001
"""Sweeps end when none moves a bot by more than this share of its sigma, apart from what moves all alike, ..."""
NEAR = 0.001
"""... and no bot has more than this share of its sigma still to go."""
FEWEST_SWEEPS, MOST_SWEEPS = 3, 10_000


def rate(
    results: Iterable[MatchResult], bots: Sequence[str], *, draw_probability: float | None = None
) -> dict[str, Rating]:
    """The rating of every bot after these matches, each a free-for-all by rank; the same in whatever order they come.

    Batch TrueSkill without drift (tau = 0): every match keeps its message about each of its bots, and is asked again,
    what is known from all the others taken as given, until no mean has more than a thousandth of its sigma still to go
    (`remaining`). Bots that results connect have 25 on average. Names play no part, of bots that tie neither.
    `draw_probability` as in `rate_in_order`. ValueError for a bot that is not among `bots`.
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
        self._sets = connected(self._played)
        self._matches = [single_match([seat.rank for seat in match], margin) for match in seats]
        self._told = [[NOTHING] * len(match) for match in seats]
        self._priors = dict.fromkeys(bots, PRIOR)

    def run(self) -> None:
        """Sweeps until at rest."""
        pace, leap = Pace(), 0.0
        for sweep in range(1, MOST_SWEEPS + 1):
            before = self._means()
            for match in range(len(self._played)):
                self._ask(match, passes=MOST_PASSES if sweep == 1 or leap else 1)
            self._follow()
            moves = centred({bot: mu - before[bot] for bot, mu in self._means().items()}, self._sets)
            if sweep >= FEWEST_SWEEPS and pace.settled and self._is_at_rest(moves):
                return
            if leap := pace.leap(self._in_sigmas(moves)):
                self._shift({bot: leap * move for bot, move in moves.items()})

    def ratings(self) -> dict[str, Rating]:
        """The ratings; 25 on average in every set of bots that results connect, as it is at rest."""
        means = dict.fromkeys(self._known, MU) | {
            bot: MU + apart for bot, apart in centred(self._means(), self._sets).items()
        }
        return {bot: Rating(means[bot], 1 / sqrt(known.pi)) for bot, known in self._known.items()}

    def _ask(self, match: int, passes: int) -> None:
        bots = self._played[match]
        others = [self._known[bot].over(told) for bot, told in zip(bots, self._told[match], strict=True)]
        self._told[match] = self._matches[match].evidence(others, passes)
        for bot, other, told in zip(bots, others, self._told[match], strict=True):
            self._known[bot] = other.times(told)

    def _follow(self) -> None:
        """Moves the prior of each set of bots to where they are on average, which is where it lies when all is at rest.

        They would come to it by themselves, but slowly, and ratings that are on their way are not only shifted.
        """
        for members in self._sets:
            mean = fsum(self._known[bot].mu for bot in members) / len(members)
            for bot in members:
                prior = Gaussian(PRIOR.pi, PRIOR.pi * mean)
                self._known[bot] = self._known[bot].over(self._priors[bot]).times(prior)
                self._priors[bot] = prior

    def _means(self) -> dict[str, float]:
        return {bot: known.mu for bot, known in self._known.items()}

    def _in_sigmas(self, moves: Mapping[str, float]) -> list[float]:
        return [move * sqrt(self._known[bot].pi) for bot, move in moves.items()]

    def _is_at_rest(self, moves: Mapping[str, float]) -> bool:
        if max(map(abs, self._in_sigmas(moves)), default=0.0) >= AT_REST:
            return False
        residual = centred({bot: move * self._known[bot].pi for bot, move in moves.items()}, self._sets)
        way = remaining(list(residual.values()), PRIOR.pi, self._couplings(list(residual)))
        return max(self._in_sigmas(dict(zip(residual, way, strict=True))), default=0.0) < NEAR

    def _couplings(self, bots: Sequence[str]) -> Iterator[Coupling]:
        number = {bot: place for place, bot in enumerate(bots)}
        for played, match in zip(self._played, self._matches, strict=True):
            for one, other, precision in match.couplings():
                yield number[played[one]], number[played[other]], precision

    def _shift(self, moves: Mapping[str, float]) -> None:
        """Moves the mean of each bot, and all that matches say of it."""
        for bots, told in zip(self._played, self._told, strict=True):
            told[:] = [message.moved(moves[bot]) for bot, message in zip(bots, told, strict=True)]
        for bot, move in moves.items():
            prior = self._priors[bot]
            self._known[bot] = self._known[bot].over(prior).moved(move).times(prior)
