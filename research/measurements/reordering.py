"""Tests whether ratings depend on the order of the matches: the same results, in forty orders.

.venv/bin/python research/measurements/reordering.py [--matches 200]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import fields
from playings import LIMIT, play_session
from rows import head, line

from bourre.rules.deck import derive, master_seed
from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.in_order import rate_in_order

BOTS = {bot.__name__: bot for field in fields.FIELDS if not field.slow for bot in field.bots}
SEATS, DEALS = 5, 10
ORDERS = 40

Ratings = dict[str, Rating]


def play_sessions(matches: int) -> list[MatchResult]:
    """Plays short sessions of randomly chosen bots."""
    dice, seed = Random(2025), derive(master_seed(2025), "reordering")
    results = []
    for match in range(1, matches + 1):
        names = dice.sample(sorted(BOTS), SEATS)
        chips = play_session([BOTS[name] for name in names], DEALS, LIMIT, derive(seed, f"match {match}"))
        rows = zip(names, chips, ranks_of(chips), strict=True)
        seats = tuple(SeatResult(name, won, rank, 0, 0, 0, 0, 0) for name, won, rank in rows)
        results.append(MatchResult(f"m{match:04}", DEALS, seats))
    return results


def rename_by_place(results: Sequence[MatchResult]) -> list[MatchResult]:
    """Renames matches by place, so that sorting by name sweeps them in this order."""
    return [replace(result, match=f"m{place:04}") for place, result in enumerate(results, start=1)]


def ranking(ratings: Ratings) -> tuple[str, ...]:
    """Returns the bots, best first."""
    return tuple(sorted(ratings, key=lambda bot: -ratings[bot].mu))


def largest_change(one: Ratings, other: Ratings) -> float:
    """Returns the largest change of a bot, in sigmas, without changes common to all."""
    common = sum(other[bot].mu - one[bot].mu for bot in one) / len(one)
    return max(abs(other[bot].mu - one[bot].mu - common) / one[bot].sigma for bot in one)


def row(name: str, ratings: Sequence[Ratings]) -> str:
    """Prints how much ratings in forty orders differ."""
    rankings = len({ranking(rated) for rated in ratings})
    return line([name, f"{rankings}", f"{max(largest_change(ratings[0], rated) for rated in ratings):.6f}"])


def main(arguments: Sequence[str]) -> None:
    """Rates the same results in many orders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200)
    results = play_sessions(parser.parse_args(arguments).matches)
    dice, bots = Random(1), sorted(BOTS)
    orders = [results, *(dice.sample(results, len(results)) for _ in range(ORDERS - 1))]
    print(head(("rating", "rankings", "largest change, in sigmas")))
    print(row("all matches at once", [rate(order, bots) for order in orders]))
    print(row("all at once, swept in this order", [rate(rename_by_place(order), bots) for order in orders]))
    print(row("one pass in this order", [rate_in_order(order, bots) for order in orders]))


if __name__ == "__main__":
    main(sys.argv[1:])
