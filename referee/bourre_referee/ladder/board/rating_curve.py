"""The ratings of an entrant after its games, for a chart; however many games there are, memory is bounded."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import NamedTuple

from bourre_referee.ratings import Rating

MOST_POINTS = 256
"""A curve that gets longer keeps every other point."""


class CurvePoint(NamedTuple):
    """The rating of an entrant after a game."""

    game: int
    """The game's number among those of the entrant, starting at 1."""
    mu: float
    sigma: float


class RatingCurve:
    """Points at even distances up to the last game, which is always there."""

    def __init__(self, points: Iterable[CurvePoint] = ()) -> None:
        """Goes on after these points of another curve."""
        self._step = 1
        self._games: array[int] = array("q")
        self._mus: array[float] = array("d")
        self._sigmas: array[float] = array("d")
        for point in points:
            self.add(point.game, Rating(point.mu, point.sigma))

    def __iter__(self) -> Iterator[CurvePoint]:
        return map(CurvePoint, self._games, self._mus, self._sigmas)

    def __len__(self) -> int:
        return len(self._games)

    def add(self, game: int, rating: Rating) -> None:
        """Adds the rating after a later game; a game that the curve already reaches changes nothing."""
        if self._games and game <= self._games[-1]:
            return
        if self._games and self._games[-1] % self._step:
            for column in (self._games, self._mus, self._sigmas):
                column.pop()
        self._games.append(game)
        self._mus.append(rating.mu)
        self._sigmas.append(rating.sigma)
        while len(self._games) > MOST_POINTS:
            self._thin()

    def correct(self, rating: Rating) -> None:
        """Replaces the rating after the last game, if there was one."""
        if self._games:
            self._mus[-1], self._sigmas[-1] = rating.mu, rating.sigma

    def _thin(self) -> None:
        """Keeps the games whose numbers twice the step divides, and the last."""
        self._step *= 2
        keep = [game % self._step == 0 for game in self._games[:-1]] + [True]
        self._games = array("q", compress(self._games, keep))
        self._mus = array("d", compress(self._mus, keep))
        self._sigmas = array("d", compress(self._sigmas, keep))
