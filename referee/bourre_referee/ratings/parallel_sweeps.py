"""Sweeps that take all matches at once, for large contests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bourre_referee.ratings.anchors import Anchors
from bourre_referee.ratings.belief import Outcome
from bourre_referee.ratings.convergence import Coupling
from bourre_referee.ratings.gaussian import Gaussian
from bourre_referee.ratings.match_groups import MatchGroup
from bourre_referee.ratings.sweeps import Sweeps
from bourre_referee.ratings.truncated_arrays import Array


class ParallelSweeps(Sweeps):
    """Sweeps in which every match starts from the beliefs after the last sweep, so that NumPy takes them together.

    They end where `SerialSweeps` end, within the same bound, after a few more sweeps. Sums depend on the order of the
    bots' names in their last bits, far below any published digit.
    """

    def __init__(self, outcomes: Sequence[Outcome], bots: Sequence[str], margin: float, anchors: Anchors) -> None:
        super().__init__(outcomes, bots, anchors)
        self._numbers = {bot: number for number, bot in enumerate(bots)}
        tables: defaultdict[tuple[int, ...], list[list[int]]] = defaultdict(list)
        for outcome in outcomes:
            tables[outcome.ranks].append([self._numbers[bot] for bot in outcome.bots])
        self._groups = [MatchGroup(ranks, np.array(rows).T, margin) for ranks, rows in sorted(tables.items())]
        self._moving: Array = np.array([float(bot not in anchors) for bot in bots])
        """By bot, 0 for an anchor, which hears no message, otherwise 1."""

    def _sweep(self, passes: int) -> None:
        beliefs = np.array(list(self._beliefs.values())).T
        totals = np.array(list(self._priors.values())).T
        for group in self._groups:
            group.pass_messages(beliefs, passes)
            group.messages *= self._moving[group.bots]
            for total, messages in zip(totals, group.messages, strict=True):
                total += np.bincount(group.bots.ravel(), messages.ravel(), len(self._numbers))
        for bot, number in self._numbers.items():
            self._beliefs[bot] = Gaussian(*totals[:, number].tolist())

    def _couplings(self, bots: Sequence[str]) -> Iterator[Coupling]:
        places = {self._numbers[bot]: place for place, bot in enumerate(bots)}
        size = len(self._numbers)
        totals = np.zeros(size * size)
        for group in self._groups:
            for better, worse, precision in group.couplings():
                totals += np.bincount(better * size + worse, precision, size * size)
        for pair in np.flatnonzero(totals).tolist():
            one, other = divmod(pair, size)
            yield places[one], places[other], float(totals[pair])

    def _shift_messages(self, moves: Mapping[str, float]) -> None:
        by_number: Array = np.array([moves.get(bot, 0.0) for bot in self._numbers])
        for group in self._groups:
            group.shift(by_number)
