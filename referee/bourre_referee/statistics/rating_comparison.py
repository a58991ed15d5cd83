"""Ratings computed anew, beside those of one pass over the matches in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import choose_draw_probability
from bourre_referee.ratings.in_order import rate_in_order


@dataclass(frozen=True, slots=True)
class Rated:
    """One bot."""

    rank: int
    """By the score of `batch`; equal scores by name."""
    bot: str
    matches: int
    batch: Rating
    """All matches at once: what the standings show."""
    one_pass: Rating
    """One after the other in schedule order: another order gives other numbers."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Every bot, best first."""

    draw_probability: float
    """Of two neighbours in the ranking of a match, as the ratings take it: what the results show, bounded."""
    rows: tuple[Rated, ...]


def rated(results: Sequence[MatchResult], bots: Sequence[str]) -> RatingTable:
    """The ratings after these matches, which come in schedule order; ValueError for a bot that is not among `bots`."""
    chance = choose_draw_probability(results, None)
    batch = rate(results, bots, draw_probability=chance)
    one_pass = rate_in_order(results, bots, draw_probability=chance)
    played = Counter(seat.bot for match in results for seat in match.seats)
    order = sorted(bots, key=lambda bot: (-round(batch[bot].score, 9), bot))
    rows = tuple(Rated(rank, bot, played[bot], batch[bot], one_pass[bot]) for rank, bot in enumerate(order, start=1))
    return RatingTable(chance, rows)
