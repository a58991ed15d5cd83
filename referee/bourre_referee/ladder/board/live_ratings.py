"""The current ratings of a clock class: the last refit, updated by every later game."""

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
from bourre_referee.statistics.place_model import NO_PLACES, PlaceModel, fit_places

MOST_POINTS = 256
"""The most points of a curve. A longer curve drops every other point."""


class CurvePoint(NamedTuple):
    """The rating of an entrant after a game."""

    game: int
    """The number of the entrant's game, starting at 1."""
    mu: float
    sigma: float


class RatingCurve:
    """Points at equal distances, and the last game."""

    def __init__(self, points: Iterable[CurvePoint] = ()) -> None:
        """Continues these points of another curve."""
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
        """Adds the rating after a later game. A game within the curve changes nothing."""
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
    """The official ratings and effects, fitted to these games at once, without drift.

    The order of the games does not matter.
    """

    games: int = 0
    """The number of games that it covers: the first games of the class to finish, including void ones."""
    void: frozenset[int] = frozenset()
    """The rooms of void games, which the ratings leave out."""
    draw_probability: float = MIN_DRAW_PROBABILITY
    """The share of ties between neighbours in the games' rankings, bounded."""
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    """The ratings of anchors and of all entrants that played, by entrant."""
    places: PlaceModel = field(default=NO_PLACES, compare=False)
    """The field model of the same games, for ties."""


def refit(games: Iterable[GameOutcome], anchors: Anchors = NO_ANCHORS, void: Collection[int] = frozenset()) -> Refit:
    """Fits these games of a clock class, which are its first to finish. It reads them once.

    `void` has the rooms of games that were taken back. `anchors` keep their ratings and set the scale, so that ratings
    of all seasons are comparable. Raises ValueError for an anchor without finite numbers.
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
    return Refit(len(outcomes) + len(left_out), frozenset(left_out), draws, ratings, fit_places(outcomes))


TAU = 0.008
"""The drift of a skill before each game, as a standard deviation, because authors change their bots."""

NO_CURVES: Mapping[str, RatingCurve] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _LaterGame:
    """A game that the last refit does not cover."""

    room: int
    outcome: Outcome
    tau: float


class LiveRatings:
    """The ratings of one clock class after each of its games.

    They start from the refit, which rates the first games at once and without drift. Every later game updates them in
    order, with drift. So the order matters only for games after the last refit. A new entrant starts at the widest
    sigma. A game that is taken back stays in the ratings, which are then stale, until the next refit.
    """

    def __init__(
        self,
        anchors: Anchors = NO_ANCHORS,
        tau: float = TAU,
        refit: Refit | None = None,
        curves: Mapping[str, RatingCurve] = NO_CURVES,
    ) -> None:
        """`tau` is the drift before each game of an entrant. `anchors` never change.

        After a restart, a host passes its last refit and the stored curves, and then all games from the first one on.
        Games that the refit covers are only counted.
        """
        self.games = 0
        """The number of games, including void ones."""
        self.played: Counter[str] = Counter()
        """The number of each entrant's games, including void ones."""
        self.curves = dict(curves)
        """Each entrant's ratings after its games."""
        self.refit = refit or Refit(ratings=anchors)
        """The last refit."""
        self.anchors = anchors
        """The given ratings by entrant."""
        self._tau, self._is_frozen = tau, False
        self._later: list[_LaterGame] = []
        self._void: set[int] = set()
        """Rooms of void games that the refit does not leave out."""
        self._stale: set[int] = set()
        """Those of them whose games are part of the ratings."""
        self._live = self._start()

    @property
    def is_stale(self) -> bool:
        """Whether the ratings still contain a game that was taken back."""
        return bool(self._stale)

    def ratings(self) -> dict[str, Rating]:
        """Returns the rating of every entrant that has played, and of the anchors."""
        return self._live.ratings()

    def rating(self, entrant: str) -> Rating:
        """Returns the rating of an entrant; the widest if it has not played."""
        return self._live.rating(entrant) if entrant in self._live else Rating()

    def take(self, game: GameOutcome) -> None:
        """Rates the next game of the class."""
        self.count(game)
        if self.games <= self.refit.games:
            return
        later = _LaterGame(game.room, game.outcome, 0.0 if self._is_frozen else self._tau)
        self._later.append(later)
        for entrant, rating in self._rate(later).items():
            self.curves.setdefault(entrant, RatingCurve()).add(self.played[entrant], rating)

    def count(self, game: GameOutcome) -> None:
        """Counts the next game of the class without rating it, because the next refit covers it."""
        self.games += 1
        self.played.update(game.outcome.bots)

    def take_back(self, room: int) -> None:
        """Marks the game of this room as void. The next refit leaves it out."""
        if room not in self.refit.void:
            self._void.add(room)
            self._stale.add(room)

    def freeze(self, frozen: bool) -> None:
        """Stops the drift, as for final rounds, or resumes it."""
        self._is_frozen = frozen

    def adopt(self, refit: Refit) -> None:
        """Starts from this refit, and rates the later games again, without void ones.

        Raises ValueError for a refit of fewer games than the last one, or of more games than there are.
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
