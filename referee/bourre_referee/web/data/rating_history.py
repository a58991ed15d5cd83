"""How the rating of each bot went, one match after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating
from bourre_referee.ratings.in_order import rate_by_match


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """What was believed of a bot after one of its matches."""

    match: str
    rating: Rating


def rating_courses(results: Sequence[MatchResult], bots: Sequence[str]) -> Mapping[str, tuple[RatingPoint, ...]]:
    """Of every bot, after each of its own matches, in schedule order: the `one_pass` rows of an export.

    The standings rate all matches at once, so that the last of these may be another. ValueError for a stranger.
    """
    found: dict[str, list[RatingPoint]] = {bot: [] for bot in bots}
    for match, ratings in rate_by_match(results, bots):
        for bot, rating in ratings.items():
            found[bot].append(RatingPoint(match.match, rating))
    return {bot: tuple(rated) for bot, rated in found.items()}
