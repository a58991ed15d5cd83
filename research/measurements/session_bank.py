"""Banks of real matches between eight bots, which `play_banks.py` plays, and from which contests are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BOTS = 8
SEATS = 5
LINE_UPS = tuple(combinations(range(BOTS), SEATS))

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def centred(chips: Array) -> Array:
    """Returns what the bots of each match have more than their table's mean."""
    rest: Array = chips - chips.mean(axis=1, keepdims=True)
    return rest


@dataclass(frozen=True, slots=True)
class Bank:
    """The matches of every line-up."""

    chips: Array
    """By line-up, match and bot, the bots in ascending order: chips per 100 deals, centred."""

    @classmethod
    def read(cls, path: Path) -> Bank:
        """Reads a bank."""
        with np.load(path) as file:
            return cls(file["chips"])

    def without_differences(self) -> Bank:
        """Returns the bank of equal bots: the mean of each bot is taken off in every line-up."""
        return Bank(self.chips - self.chips.mean(axis=1, keepdims=True))

    def draw(self, line_ups: Indices, dice: np.random.Generator) -> Array:
        """Draws a match of each of these line-ups, whose bots are in ascending order."""
        return self.chips[places_of(line_ups, BOTS), dice.integers(self.chips.shape[1], size=len(line_ups))]

    def matches(self) -> tuple[Indices, Array]:
        """Returns all line-ups and chips, a row a match."""
        return np.repeat(LINE_UPS, self.chips.shape[1], axis=0), self.chips.reshape(-1, SEATS)


def places_of(line_ups: Indices, bots: int) -> Indices:
    """Returns the place of each line-up of these bots among all of its size, both in ascending order."""
    return _places(bots, line_ups.shape[1])[_codes(line_ups)]


@cache
def _places(bots: int, size: int) -> Indices:
    every = np.array(list(combinations(range(bots), size)))
    places = np.zeros(2**bots, dtype=np.int64)
    places[_codes(every)] = np.arange(len(every))
    return places


def _codes(line_ups: Indices) -> Indices:
    codes: Indices = (1 << line_ups).sum(axis=1)
    return codes
