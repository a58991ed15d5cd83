"""Sweeps over all matches of a contest until the ratings have converged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum, sqrt

from bourre_referee.ratings.belief import MU, SIGMA, UNIFORM, Anchors, Gaussian, Outcome, Rating, anchor_belief
from bourre_referee.ratings.convergence import (
    Coupling,
    StepExtrapolation,
    bound_errors,
    centre_moves,
    connected_components,
)
from bourre_referee.ratings.free_for_all import MAX_PASSES
from bourre_referee.ratings.tied import match_model

PRIOR = Gaussian(1 / SIGMA**2, MU / SIGMA**2)
STEP_TOLERANCE = 0.0001
"""Sweeps end when none of them moves a bot, within its component, by more than this share of its sigma, ..."""
ERROR_TOLERANCE = 0.001
"""... and no bot is further than this share of its sigma from its limit."""
MIN_SWEEPS, MAX_SWEEPS = 3, 10_000


class Sweeps(ABC):
    """The belief about each bot, which sweeps over all matches refine until it has converged."""

    def __init__(self, outcomes: Sequence[Outcome], bots: Sequence[str], anchors: Anchors) -> None:
        self._anchors = anchors
        known = {bot: anchor_belief(rating) for bot, rating in anchors.items()}
        self._beliefs = dict.fromkeys(bots, PRIOR) | known
        self._priors = dict(self._beliefs)
        self._floating, self._anchored = _split_components(outcomes, anchors)

    def run(self) -> None:
        """Sweeps until the ratings have converged."""
        extrapolation, leap = StepExtrapolation(), 0.0
        for sweep in range(1, MAX_SWEEPS + 1):
            before = self._means()
            self._sweep(passes=MAX_PASSES if sweep == 1 or leap else 1)
            self._centre_priors()
            moves = self._centre({bot: mu - before[bot] for bot, mu in self._means().items()})
            if sweep >= MIN_SWEEPS and extrapolation.allows_end and self._has_converged(moves):
                return
            if leap := extrapolation.leap(self._in_sigmas(moves)):
                self._shift({bot: leap * move for bot, move in moves.items()})

    def ratings(self) -> dict[str, Rating]:
        """Returns the ratings. As in the limit, they average 25 in every component without an anchor."""
        centred = centre_moves(self._means(), self._floating)
        means = dict.fromkeys(self._beliefs, MU) | {bot: MU + mean for bot, mean in centred.items()}
        means |= {bot: self._beliefs[bot].mu for bot in self._anchored}
        found = {bot: Rating(means[bot], 1 / sqrt(belief.pi)) for bot, belief in self._beliefs.items()}
        return found | {bot: self._anchors[bot] for bot in self._anchors}

    @abstractmethod
    def _sweep(self, passes: int) -> None:
        """Recomputes the messages of every match and the beliefs. `passes` limits the work on each match."""

    @abstractmethod
    def _couplings(self, bots: Sequence[str]) -> Iterable[Coupling]:
        """Returns the precisions with which matches couple skills, by place in `bots`: all bots that played."""

    @abstractmethod
    def _shift_messages(self, moves: Mapping[str, float]) -> None:
        """Moves the mean of every message to a bot."""

    def _centre_priors(self) -> None:
        """Moves the prior of each component without an anchor to the mean of its bots, where it is in the limit.

        The bots would also move to the prior without this, but slowly, and until then their distances are slightly
        wrong.
        """
        for members in self._floating:
            mean = fsum(self._beliefs[bot].mu for bot in members) / len(members)
            for bot in members:
                prior = Gaussian(PRIOR.pi, PRIOR.pi * mean)
                self._beliefs[bot] = self._beliefs[bot].divide(self._priors[bot]).multiply(prior)
                self._priors[bot] = prior

    def _centre(self, moves: Mapping[str, float]) -> dict[str, float]:
        """Returns the moves of the bots that played, except anchors, less the mean move of each component."""
        return centre_moves(moves, self._floating) | {bot: moves[bot] for bot in self._anchored}

    def _means(self) -> dict[str, float]:
        return {bot: belief.mu for bot, belief in self._beliefs.items()}

    def _in_sigmas(self, moves: Mapping[str, float]) -> list[float]:
        return [move * sqrt(self._beliefs[bot].pi) for bot, move in moves.items()]

    def _has_converged(self, moves: Mapping[str, float]) -> bool:
        if max(map(abs, self._in_sigmas(moves)), default=0.0) >= STEP_TOLERANCE:
            return False
        steps = {bot: move * self._beliefs[bot].pi for bot, move in moves.items()}
        residual = self._centre(steps)
        couplings = self._couplings([*residual, *self._anchors])
        errors = bound_errors(list(residual.values()), PRIOR.pi, couplings, held=len(self._anchors))
        return max(self._in_sigmas(dict(zip(residual, errors, strict=True))), default=0.0) < ERROR_TOLERANCE

    def _shift(self, moves: Mapping[str, float]) -> None:
        """Moves the mean of each bot, and of all messages to it."""
        self._shift_messages(moves)
        for bot, move in moves.items():
            prior = self._priors[bot]
            self._beliefs[bot] = self._beliefs[bot].divide(prior).shift(move).multiply(prior)


class SerialSweeps(Sweeps):
    """Sweeps that take one match after the other, each with the messages of those before it."""

    def __init__(self, outcomes: Sequence[Outcome], bots: Sequence[str], margin: float, anchors: Anchors) -> None:
        super().__init__(outcomes, bots, anchors)
        self._tables = [outcome.bots for outcome in outcomes]
        self._models = [match_model(outcome.ranks, margin) for outcome in outcomes]
        self._messages = [[UNIFORM] * len(table) for table in self._tables]

    def _sweep(self, passes: int) -> None:
        for match in range(len(self._tables)):
            self._update(match, passes)

    def _update(self, match: int, passes: int) -> None:
        """Recomputes the messages of a match from the cavities, which are the beliefs without its own messages."""
        bots = self._tables[match]
        cavities = [self._beliefs[bot].divide(old) for bot, old in zip(bots, self._messages[match], strict=True)]
        messages = self._models[match].pass_messages(cavities, passes)
        self._messages[match] = [
            UNIFORM if bot in self._anchors else message for bot, message in zip(bots, messages, strict=True)
        ]
        for bot, cavity, message in zip(bots, cavities, self._messages[match], strict=True):
            self._beliefs[bot] = cavity.multiply(message)

    def _couplings(self, bots: Sequence[str]) -> Iterator[Coupling]:
        number = {bot: place for place, bot in enumerate(bots)}
        for table, model in zip(self._tables, self._models, strict=True):
            for one, other, precision in model.couplings():
                yield number[table[one]], number[table[other]], precision

    def _shift_messages(self, moves: Mapping[str, float]) -> None:
        for bots, messages in zip(self._tables, self._messages, strict=True):
            messages[:] = [message.shift(moves.get(bot, 0.0)) for bot, message in zip(bots, messages, strict=True)]


def _split_components(outcomes: Sequence[Outcome], anchors: Anchors) -> tuple[list[list[str]], list[str]]:
    """Returns the components of bots, anchors aside, that met no anchor, and the bots of all other components."""
    components = connected_components({tuple(bot for bot in each.bots if bot not in anchors) for each in outcomes})
    near = {bot for each in outcomes if not anchors.keys().isdisjoint(each.bots) for bot in each.bots}
    floating = [members for members in components if near.isdisjoint(members)]
    return floating, [bot for members in components if not near.isdisjoint(members) for bot in members]
