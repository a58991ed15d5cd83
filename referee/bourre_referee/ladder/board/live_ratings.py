"""The ratings of a clock class while it plays: those of the last refit, and what has happened since."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import compress
from types import MappingProxyType
from typing import NamedTuple

from bourre_referee.ladder.board.benching import GameOutcome
from bourre_referee.ratings import Rating
from bourre_referee.ratings.batch import rate_outcomes
from bourre_referee.ratings.belief import (
    MIN_DRAW_PROBABILITY,
    NO_ANCHORS,
    Anchors,
    Outcome,
    bound_draw_probability,
    tied_share,
)
from bourre_referee.ratings.in_order import SequentialRatings

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


@dataclass(frozen=True, slots=True)
class Refit:
    """The ratings of record: from these games at once, so their order does not matter, and without drift."""

    games: int = 0
    """It covers so many games, the first of the class in the order in which they finished, void ones included."""
    void: frozenset[int] = frozenset()
    """The rooms of those games that were taken back; the ratings leave them out."""
    draw_probability: float = MIN_DRAW_PROBABILITY
    """The share of neighbours in the rankings of games that are tied, bounded."""
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    """By entrant; of the anchors, and of all that played."""


def refit(games: Iterable[GameOutcome], anchors: Anchors = NO_ANCHORS, void: Collection[int] = frozenset()) -> Refit:
    """Rates these games of a clock class, its first in the order in which they finished; reads them once.

    `void` are rooms whose games were taken back. `anchors` keep their ratings and set the scale, so that ratings of
    all seasons compare. Raises ValueError for an anchor without finite numbers.
    """
    outcomes, left_out = [], set()
    for room, outcome in games:
        if room in void:
            left_out.add(room)
        else:
            outcomes.append(outcome)
    entrants = sorted({bot for outcome in outcomes for bot in outcome.bots} | anchors.keys())
    draws = bound_draw_probability(tied_share(outcome.ranks for outcome in outcomes))
    ratings = rate_outcomes(outcomes, entrants, draw_probability=draws, anchors=anchors)
    return Refit(len(outcomes) + len(left_out), frozenset(left_out), draws, ratings)


TAU = 0.008
"""Bots change while a ladder is open: by this standard deviation before each of their games."""

NO_CURVES: Mapping[str, RatingCurve] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _LaterGame:
    """A game that the last refit does not cover."""

    room: int
    outcome: Outcome
    tau: float


class LiveRatings:
    """The ratings of one clock class after each of its games.

    They start from the refit, which rates the first games at once and without drift, and take in every later game in
    order, with drift. So each refit replaces all that the order of its games did, and only the games since then still
    have one. An entrant that neither knows starts without a rating, at the widest sigma. A game that is taken back
    stays in the ratings, which are stale, until a refit leaves it out.
    """

    def __init__(
        self,
        anchors: Anchors = NO_ANCHORS,
        tau: float = TAU,
        refit: Refit | None = None,
        curves: Mapping[str, RatingCurve] = NO_CURVES,
    ) -> None:
        """`tau` is the drift before each game of an entrant; `anchors` never change.

        A host that starts again hands over its last refit and the curves that it has kept, and takes in all games from
        the first one on; those that the refit covers are only counted.
        """
        self.games = 0
        """How many games were taken in, void ones included."""
        self.played: Counter[str] = Counter()
        """By entrant, how many games it played, void ones included."""
        self.curves = dict(curves)
        """By entrant, its rating after its games."""
        self.refit = refit or Refit(ratings=anchors)
        """The last refit."""
        self.anchors = anchors
        """The given ratings by entrant."""
        self._tau, self._is_frozen = tau, False
        self._later: list[_LaterGame] = []
        self._void: set[int] = set()
        """Rooms whose games were taken back, and that the refit does not leave out."""
        self._stale: set[int] = set()
        """Those of them whose games the ratings hold."""
        self._live = self._start()

    @property
    def is_stale(self) -> bool:
        """Whether the ratings still hold a game that was taken back."""
        return bool(self._stale)

    def ratings(self) -> dict[str, Rating]:
        """Returns the rating of every entrant that has played, and of the anchors."""
        return self._live.ratings()

    def rating(self, entrant: str) -> Rating:
        """Returns the rating of an entrant; the widest if it has not played."""
        return self._live.rating(entrant) if entrant in self._live else Rating()

    def take(self, game: GameOutcome) -> None:
        """Takes in the next game of the class."""
        self.count(game)
        if self.games <= self.refit.games:
            return
        later = _LaterGame(game.room, game.outcome, 0.0 if self._is_frozen else self._tau)
        self._later.append(later)
        for entrant, rating in self._rate(later).items():
            self.curves.setdefault(entrant, RatingCurve()).add(self.played[entrant], rating)

    def count(self, game: GameOutcome) -> None:
        """Takes in the next game of the class without rating it, because the next refit covers it."""
        self.games += 1
        self.played.update(game.outcome.bots)

    def take_back(self, room: int) -> None:
        """Marks the game of this room as void: the next refit leaves it out."""
        if room not in self.refit.void:
            self._void.add(room)
            self._stale.add(room)

    def freeze(self, frozen: bool) -> None:
        """Ends the drift for all games to come, as for final rounds, or lets it go on."""
        self._is_frozen = frozen

    def adopt(self, refit: Refit) -> None:
        """Starts from this refit, and rates the later games again, without those that were taken back.

        Raises ValueError for a refit of fewer games than the last one, or of more than were taken in.
        """
        if not self.refit.games <= refit.games <= self.games:
            raise ValueError(f"a refit of {refit.games} games is not one of {self.refit.games} to {self.games} games")
        del self._later[: refit.games - self.refit.games]
        self._void -= refit.void
        self._stale = self._void - {game.room for game in self._later}
        self.refit = refit
        self._live = self._start()
        for game in self._later:
            if game.room not in self._void:
                self._rate(game)
        for entrant, rating in self.ratings().items():
            if entrant in self.curves:
                self.curves[entrant].correct(rating)

    def _start(self) -> SequentialRatings:
        """Returns the ratings of the refit, to which later games can be added."""
        live = SequentialRatings(self.anchors, self.refit.draw_probability, self._tau, self.anchors)
        for entrant, rating in self.refit.ratings.items():
            if entrant not in self.anchors:
                live.join(entrant, rating)
        return live

    def _rate(self, game: _LaterGame) -> dict[str, Rating]:
        for entrant in game.outcome.bots:
            if entrant not in self._live:
                self._live.join(entrant)
        self._live.set_drift(game.tau)
        return self._live.add_outcome(game.outcome)
