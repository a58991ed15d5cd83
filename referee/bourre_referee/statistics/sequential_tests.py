"""Tests which entrants of a ladder differ, all pairs together, as often as anyone looks.

This is an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52,
2024): the boundary of `stopping_boundary`, with 1 / standard error squared as V. V grows by about the same amount in
each game of both, so V / r is their games, in the harmonic mean h, divided by RATIO. A difference of t standard errors
tells two entrants apart if t^2 >= (1 + RATIO / h) ln((1 + h / RATIO) / a^2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from statistics import median

import numpy as np

from bourre_referee.statistics.field_verdict import MAX_MORE
from bourre_referee.statistics.fixed_order import Floats
from bourre_referee.statistics.pair_tests import Apart, brackets, spanned
from bourre_referee.statistics.place_model import PlaceModel
from bourre_referee.statistics.stopping_boundary import LEVEL, RATIO

FEWEST_GAMES = 10
"""With fewer games, standard errors mean nothing."""

USUAL_PART = 4
"""An entrant with less than this part of the usual number of games is not tested. Otherwise each newcomer, which nobody
can tell from any other, would tie the whole board."""

STEPS = 8
"""How often a prediction is refined. Each step adds a digit or more."""


@dataclass(frozen=True, slots=True)
class SequentialVerdict:
    """Which entrants of a ranking are tied."""

    brackets: tuple[tuple[str, ...], ...]
    """Neighbours that are not told apart, two or more in each, best first."""
    too_few: tuple[str, ...]
    """The entrants with too few games to tell them apart from others. They are in no bracket."""
    games_to_part: dict[str, int | None]
    """How many more games of both would part each entrant from the next. 0: they are apart. None: unknown."""


def judge_ranking(model: PlaceModel, ranking: Sequence[str]) -> SequentialVerdict:
    """Tests all pairs of a ranking, best first.

    Two are apart if the better-ranked one has the higher effect, and if every pair that spans them is apart. The level
    is divided among all pairs, so at most 5 % of ladders of equal bots ever tell two apart.
    """
    known = model.of(ranking)
    least = max(FEWEST_GAMES, median(known.games.tolist() or [0]) / USUAL_PART)
    tested = [entrant for entrant, games in zip(ranking, known.games, strict=True) if games >= least]
    tests = _PairTests.of(known.of(tested), LEVEL / max(1, len(ranking) * (len(ranking) - 1) // 2))
    apart = tests.apart()
    more = zip(pairwise(tested), tests.games_to_part(apart), strict=True)
    neighbours, enough = {*pairwise(ranking)}, {*tested}
    return SequentialVerdict(
        tuple(tuple(tested[place] for place in bracket) for bracket in brackets(apart)),
        tuple(entrant for entrant in ranking if entrant not in enough),
        {pair[0]: games for pair, games in more if pair in neighbours},
    )


@dataclass(frozen=True, slots=True)
class _PairTests:
    """The tests of all pairs of n entrants in the order of their ranking. Matrices are n x n."""

    t: Floats
    """The differences in standard errors, row less column."""
    games: Floats
    level: float
    """That of each pair."""

    @classmethod
    def of(cls, model: PlaceModel, level: float) -> _PairTests:
        return cls((model.effects[:, None] - model.effects) / model.errors, model.games.astype(float), level)

    @property
    def _both(self) -> Floats:
        """The harmonic mean of the games of each two."""
        both: Floats = 2 * self.games[:, None] * self.games / (self.games[:, None] + self.games)
        return both

    def apart(self) -> Apart:
        """Returns which pairs are apart with every pair that spans them."""
        part = self._both / RATIO
        beyond = self.t * self.t >= (1 + 1 / part) * self._log(part)
        upper = np.triu(beyond & (self.t > 0), 1)
        return spanned(upper | upper.T)

    def _log(self, part: Floats) -> Floats:
        found: Floats = np.log1p(part) - 2 * np.log(self.level)
        return found

    def games_to_part(self, apart: Apart) -> list[int | None]:
        """Predicts for each entrant but the last how many more games part it from the next, if play goes on alike.

        With t^2 in proportion to h, the boundary is h^2 = c (h + RATIO) ln(...), with c = h / t^2 of today.
        """
        both = self._both
        with np.errstate(divide="ignore", invalid="ignore"):
            today = np.where(self.t > 0, both / (self.t * self.t), np.inf)
        today, needed = np.minimum(today, MAX_MORE), both
        for _ in range(STEPS):
            length = today * self._log(needed / RATIO)
            needed = (length + np.sqrt(length * length + 4 * length * RATIO)) / 2
        gap = self.games[:, None] - self.games
        more = (needed - self.games[:, None] - self.games + np.sqrt(needed * needed + gap * gap)) / 2
        worst = np.maximum.accumulate(np.maximum.accumulate(more, axis=0)[:, ::-1], axis=1)[:, ::-1]
        found = (float(worst[place]) for place in pairwise(range(len(self.games))))
        parted = (bool(apart[place]) for place in pairwise(range(len(self.games))))
        return [
            0 if done else max(1, ceil(games)) if games <= MAX_MORE else None
            for games, done in zip(found, parted, strict=True)
        ]
