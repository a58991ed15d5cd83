"""The ratings of a clock class while it plays: those of the last refit, and what has happened since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bourre_referee.ladder.board.rated_game import GameOutcome
from bourre_referee.ladder.board.rating_curve import RatingCurve
from bourre_referee.ladder.board.refit import Refit
from bourre_referee.ratings import Rating
from bourre_referee.ratings.anchors import NO_ANCHORS, Anchors
from bourre_referee.ratings.belief import Outcome
from bourre_referee.ratings.in_order import SequentialRatings

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
