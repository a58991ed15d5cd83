"""The field model of a ladder's games: which share of its tables each entrant beats, from all games together.

A ladder ranks by places, so its ties come from places too. They are bounded, so rare and large results do not mislead
tests that are repeated for months.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bourre_referee.ratings.belief import Outcome
from bourre_referee.statistics.field_model import FieldBlocks, Places, fit
from bourre_referee.statistics.fixed_order import Floats

POINTS = 100.0
"""The points of an entrant that beats its whole table. A tie with another entrant is worth half of a win over it."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceModel:
    """The effects of n entrants in points a game, and how certain their differences are."""

    entrants: tuple[str, ...]
    effects: Floats
    errors: Floats
    """n x n: the standard error of each difference. Infinite where nothing links the two, or one has fewer than 2
    games."""
    games: Places
    """How many games each entrant has."""

    def of(self, entrants: Sequence[str]) -> PlaceModel:
        """Returns the part about these entrants, in this order. Those without a game have infinite errors."""
        numbers = {entrant: number for number, entrant in enumerate(self.entrants)}
        chosen = np.array([numbers.get(entrant, len(numbers)) for entrant in entrants], np.int64)
        errors = np.pad(self.errors, (0, 1), constant_values=np.inf)[np.ix_(chosen, chosen)]
        return PlaceModel(
            tuple(entrants), np.append(self.effects, 0.0)[chosen], errors, np.append(self.games, 0)[chosen]
        )


NO_PLACES = PlaceModel((), np.zeros(0), np.zeros((0, 0)), np.zeros(0, np.int64))
"""The model without games."""


def fit_places(outcomes: Iterable[Outcome]) -> PlaceModel:
    """Fits the model to these games. Games with fewer than two entrants do not count."""
    by_size: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        by_size.setdefault(len(outcome.bots), []).append(outcome)
    tables = {size: by_size[size] for size in sorted(by_size) if size > 1}
    entrants = sorted({bot for games in tables.values() for outcome in games for bot in outcome.bots})
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    half_place = POINTS / 2 / (max(tables, default=2) - 1)
    found = fit([_blocks(games, numbers) for games in tables.values()], len(entrants), half_place, exact_freedom=False)
    known = found.variance > 0.0
    errors = np.where(known, np.sqrt(np.where(known, found.variance, 1.0)) * found.scale, np.inf)
    return PlaceModel(tuple(entrants), found.effects, errors, found.blocks)


def _blocks(games: Sequence[Outcome], numbers: Mapping[str, int]) -> FieldBlocks:
    """Returns the games at tables of one size, each as a block with the points of its seats."""
    ranks = np.array([outcome.ranks for outcome in games])
    ahead = (ranks[:, :, None] < ranks[:, None, :]).sum(axis=2)
    level = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2) - 1
    points = (ahead + level / 2) * (POINTS / (ranks.shape[1] - 1))
    return FieldBlocks(np.array([[numbers[bot] for bot in outcome.bots] for outcome in games], np.int64), points)
