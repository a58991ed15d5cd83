"""The rating of a contest from all matches at once, so that their order does not matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum, sqrt

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings.belief import MU, SIGMA, Rating, choose_draw_probability, seats_by_rank
from bourre_referee.ratings.convergence import (
    Coupling,
    StepExtrapolation,
    bound_errors,
    centre_moves,
    connected_components,
)
from bourre_referee.ratings.free_for_all import MAX_PASSES, draw_margin
from bourre_referee.ratings.gaussian import UNIFORM, Gaussian
from bourre_referee.ratings.tied import match_model

METHOD, VERSION = "TrueSkill, all matches at once", 2
"""The name and version in `manifest.json`. Raise the version with any change that moves a published digit of a rating.

1: tied bots in the order of their names; swept until a step was small. Manifests did not name the method yet.
2: all orders of tied bots alike; swept until a bound says that little remains.
"""

PRIOR = Gaussian(1 / SIGMA**2, MU / SIGMA**2)
STEP_TOLERANCE = 0.0001
"""Sweeps end when none moves a bot, within its component, by more than this share of its sigma, ..."""
ERROR_TOLERANCE = 0.001
"""... and no bot is further than this share of its sigma from its limit."""
MIN_SWEEPS, MAX_SWEEPS = 3, 10_000


def rate(
    results: Iterable[MatchResult], bots: Sequence[str], *, draw_probability: float | None = None
) -> dict[str, Rating]:
    """Rates every bot by all these matches, each a free-for-all by rank; their order does not matter.

    This is TrueSkill by expectation propagation over the whole contest, without drift (tau = 0). Every match keeps its
    message to each of its bots and recomputes it from all that the other matches say, sweep after sweep, until no mean
    is further than a thousandth of its sigma from its limit (`bound_errors`). Bots that results connect have 25 on
    average. Names do not matter, even if bots tie. `draw_probability` is that of `rate_in_order`. Raises ValueError for
    a bot that is not among `bots`.
    """
    matches = sorted(results, key=lambda result: (result.match, sorted((seat.bot, seat.rank) for seat in result.seats)))
    sweeps = _Sweeps(matches, bots, draw_margin(choose_draw_probability(matches, draw_probability)))
    sweeps.run()
    return sweeps.ratings()


class _Sweeps:
    """The belief about each bot, and the message of each match to each of its bots."""

    def __init__(self, matches: Sequence[MatchResult], bots: Sequence[str], margin: float) -> None:
        self._beliefs = dict.fromkeys(bots, PRIOR)
        seats = [seats_by_rank(match, self._beliefs) for match in matches]
        self._tables = [[seat.bot for seat in match] for match in seats]
        self._components = connected_components(self._tables)
        self._models = [match_model([seat.rank for seat in match], margin) for match in seats]
        self._messages = [[UNIFORM] * len(match) for match in seats]
        self._priors = dict.fromkeys(bots, PRIOR)

    def run(self) -> None:
        """Sweeps until the ratings have converged."""
        extrapolation, leap = StepExtrapolation(), 0.0
        for sweep in range(1, MAX_SWEEPS + 1):
            before = self._means()
            for match in range(len(self._tables)):
                self._update(match, passes=MAX_PASSES if sweep == 1 or leap else 1)
            self._centre_priors()
            moves = centre_moves({bot: mu - before[bot] for bot, mu in self._means().items()}, self._components)
            if sweep >= MIN_SWEEPS and extrapolation.allows_end and self._has_converged(moves):
                return
            if leap := extrapolation.leap(self._in_sigmas(moves)):
                self._shift({bot: leap * move for bot, move in moves.items()})

    def ratings(self) -> dict[str, Rating]:
        """The ratings, shifted so that every component has 25 on average, as it has in the limit."""
        centred = centre_moves(self._means(), self._components)
        means = dict.fromkeys(self._beliefs, MU) | {bot: MU + mean for bot, mean in centred.items()}
        return {bot: Rating(means[bot], 1 / sqrt(belief.pi)) for bot, belief in self._beliefs.items()}

    def _update(self, match: int, passes: int) -> None:
        """Recomputes the messages of a match from the cavities: the beliefs without its own messages."""
        bots = self._tables[match]
        cavities = [self._beliefs[bot].divide(old) for bot, old in zip(bots, self._messages[match], strict=True)]
        self._messages[match] = self._models[match].pass_messages(cavities, passes)
        for bot, cavity, message in zip(bots, cavities, self._messages[match], strict=True):
            self._beliefs[bot] = cavity.multiply(message)

    def _centre_priors(self) -> None:
        """Moves the prior of each component to the mean of its bots, where it is in the limit.

        The bots would move to the prior by themselves, but slowly, and until then their distances are slightly wrong.
        """
        for members in self._components:
            mean = fsum(self._beliefs[bot].mu for bot in members) / len(members)
            for bot in members:
                prior = Gaussian(PRIOR.pi, PRIOR.pi * mean)
                self._beliefs[bot] = self._beliefs[bot].divide(self._priors[bot]).multiply(prior)
                self._priors[bot] = prior

    def _means(self) -> dict[str, float]:
        return {bot: belief.mu for bot, belief in self._beliefs.items()}

    def _in_sigmas(self, moves: Mapping[str, float]) -> list[float]:
        return [move * sqrt(self._beliefs[bot].pi) for bot, move in moves.items()]

    def _has_converged(self, moves: Mapping[str, float]) -> bool:
        if max(map(abs, self._in_sigmas(moves)), default=0.0) >= STEP_TOLERANCE:
            return False
        steps = {bot: move * self._beliefs[bot].pi for bot, move in moves.items()}
        residual = centre_moves(steps, self._components)
        errors = bound_errors(list(residual.values()), PRIOR.pi, self._couplings(list(residual)))
        return max(self._in_sigmas(dict(zip(residual, errors, strict=True))), default=0.0) < ERROR_TOLERANCE

    def _couplings(self, bots: Sequence[str]) -> Iterator[Coupling]:
        number = {bot: place for place, bot in enumerate(bots)}
        for table, model in zip(self._tables, self._models, strict=True):
            for one, other, precision in model.couplings():
                yield number[table[one]], number[table[other]], precision

    def _shift(self, moves: Mapping[str, float]) -> None:
        """Moves the mean of each bot, and of all messages to it."""
        for bots, messages in zip(self._tables, self._messages, strict=True):
            messages[:] = [message.shift(moves[bot]) for bot, message in zip(bots, messages, strict=True)]
        for bot, move in moves.items():
            prior = self._priors[bot]
            self._beliefs[bot] = self._beliefs[bot].divide(prior).shift(move).multiply(prior)
