"""Compares ratings from all matches at once with those of one pass over the matches in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.model.results import MatchResult, no_shows
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE, VERSION
from bourre_referee.ratings.belief import NO_ANCHORS, Anchors, choose_draw_probability
from bourre_referee.ratings.in_order import rate_in_order


@dataclass(frozen=True, slots=True)
class RatingRow:
    """The ratings of one bot."""

    rank: int | None
    """The place by the score of `batch`. Equal scores are ordered by name. None for a no-show, which has no ratings."""
    bot: str
    matches: int
    batch: Rating | None
    """The rating from all matches at once, which the standings show."""
    one_pass: Rating | None
    """The rating from one match after the other, in schedule order. It depends on the order."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings of every bot."""

    draw_probability: float
    """The probability, in both ratings, that two neighbours in a match tie: the share of ties, within bounds."""
    rows: tuple[RatingRow, ...]
    """Best first. No-shows come last, by name."""


def compare_ratings(
    results: Sequence[MatchResult], bots: Sequence[str], anchors: Anchors = NO_ANCHORS, version: int = VERSION
) -> RatingTable:
    """Rates the bots both ways by these matches, which must be in schedule order. `version` is that of `rate`.

    The anchors keep their ratings, so that all others are on their scale. Raises ValueError for a bot or an anchor that
    is not among `bots`.
    """
    probability = choose_draw_probability(results, None, version < FIELD_MODEL_SINCE)
    batch = rate(results, bots, draw_probability=probability, anchors=anchors, version=version)
    one_pass = rate_in_order(results, bots, draw_probability=probability, anchors=anchors, version=version)
    played = Counter(seat.bot for match in results for seat in match.seats)
    absent = no_shows(results)
    order = sorted({*bots} - absent, key=lambda bot: (-round(batch[bot].score, 9), bot))
    rows = (
        *(RatingRow(rank, bot, played[bot], batch[bot], one_pass[bot]) for rank, bot in enumerate(order, start=1)),
        *(RatingRow(None, bot, played[bot], None, None) for bot in sorted(absent)),
    )
    return RatingTable(probability, rows)
