"""The rows of ratings: of all matches at once, and one match after another for curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bourre_referee.export.table_rows import RatingRow
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.live_ratings import rated_by_match

BATCH, ONE_PASS = "batch", "one_pass"


def rating_rows(results: Sequence[MatchResult], bots: Sequence[str]) -> Iterator[RatingRow]:
    """Those of the standings, a row for each bot; then after each match of those that sat in it, best first."""
    for bot, rating in rate(results, bots).items():
        yield _row(BATCH, len(results), None, bot, rating)
    for number, (match, rated) in enumerate(rated_by_match(results, bots), start=1):
        for bot, rating in rated.items():
            yield _row(ONE_PASS, number, match.match, bot, rating)


def _row(way: str, number: int, match: str | None, bot: str, rating: Rating) -> RatingRow:
    return RatingRow(way, number, match, bot, rating.mu, rating.sigma, rating.score)
