"""Says who leads a contest while it is played, without holding it up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from time import monotonic

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE, rate_outcomes
from bourre_referee.ratings.belief import Anchors, Rating, outcome_of

SHARE = 20
"""Rating takes at most one of this many seconds."""


class LiveLeaders:
    """The bots that lead so far, rated by all finished matches at once, as in the standings.

    Nothing is rated before somebody asks, and never more often than a small share of the time allows.
    """

    def __init__(
        self, bots: Iterable[str], anchors: Anchors, version: int, clock: Callable[[], float] = monotonic
    ) -> None:
        """Parameters are as in `rate`; `clock` returns seconds."""
        self._bots = frozenset(bots)
        self._anchors = anchors
        self._with_stand_ins = version < FIELD_MODEL_SINCE
        self._clock = clock
        self._matches: list[MatchResult] = []
        self._ratings: dict[str, Rating] = {}
        self._rated = 0
        """The number of matches in the ratings."""
        self._next_at = clock()

    def add(self, match: MatchResult) -> None:
        """Counts a finished match."""
        self._matches.append(match)

    def first(self, count: int, absent: Collection[str]) -> tuple[str, ...]:
        """Returns the bots with the highest scores, best first, among those that have played and are not `absent`."""
        began = self._clock()
        if self._rated < len(self._matches) and began >= self._next_at:
            self._rate()
            ended = self._clock()
            self._next_at = ended + SHARE * (ended - began)
        present = self._ratings.keys() - absent
        return tuple(sorted(present, key=lambda bot: (-self._ratings[bot].score, bot))[:count])

    def _rate(self) -> None:
        outcomes = [outcome_of(match, self._bots, self._with_stand_ins) for match in self._matches]
        played = {bot for outcome in outcomes for bot in outcome.bots if len(outcome.bots) > 1}
        ratings = rate_outcomes(outcomes, sorted(self._bots), anchors=self._anchors)
        self._ratings = {bot: rating for bot, rating in ratings.items() if bot in played}
        self._rated = len(self._matches)
