"""Ratings while a contest goes on: one match after the other, at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings.batch import PRIOR
from bourre_referee.ratings.belief import FEWEST_DRAWS, Rating, by_rank, draw_probability_of
from bourre_referee.ratings.free_for_all import FreeForAll, draw_margin


class LiveRating:
    """What is known after the matches so far, in the order in which they came: see `rate` for what does not mind it."""

    def __init__(self, bots: Iterable[str], draw_probability: float = FEWEST_DRAWS) -> None:
        """`draw_probability`: that two neighbours in the ranking of a match are tied."""
        self._known = dict.fromkeys(bots, PRIOR)
        self._margin = draw_margin(draw_probability)
        self._played: set[str] = set()

    def add(self, match: MatchResult) -> dict[str, Rating]:
        """Takes a match into account; the new ratings of its bots, best first. ValueError for a stranger."""
        seats = by_rank(match, self._known)
        before = [self._known[seat.bot] for seat in seats]
        told = FreeForAll([seat.rank for seat in seats], self._margin).evidence(before)
        for seat, known, news in zip(seats, before, told, strict=True):
            self._known[seat.bot] = known.times(news)
            self._played.add(seat.bot)
        return {seat.bot: self._rating(seat.bot) for seat in seats}

    def ratings(self) -> dict[str, Rating]:
        """Of every bot."""
        return {bot: self._rating(bot) for bot in self._known}

    def leaders(self, most: int) -> tuple[str, ...]:
        """The bots of the highest scores, best first, of those that have played."""
        ratings = self.ratings()
        return tuple(sorted(self._played, key=lambda bot: (-ratings[bot].score, bot))[:most])

    def _rating(self, bot: str) -> Rating:
        known = self._known[bot]
        return Rating(known.mu, 1 / sqrt(known.pi))


def rated_by_match(
    results: Sequence[MatchResult], bots: Sequence[str]
) -> Iterator[tuple[MatchResult, dict[str, Rating]]]:
    """Each match with the ratings of its bots after it, best first. ValueError for a bot that is not among `bots`."""
    live = LiveRating(bots, draw_probability_of(results, None))
    for match in results:
        yield match, live.add(match)


def rate_once(
    results: Iterable[MatchResult], bots: Sequence[str], *, draw_probability: float | None = None
) -> dict[str, Rating]:
    """What `rate_in_order` finds without drift, many times as fast. ValueError for a bot that is not among `bots`."""
    matches = list(results)
    live = LiveRating(bots, draw_probability_of(matches, draw_probability))
    for match in matches:
        live.add(match)
    return live.ratings()
