"""Measures how much the field moves a bot's rating, with and without anchors: the same three bots in 20 fields.

    .venv/bin/python research/measurements/anchors.py [--fields 20] [--games 50 400 1600]

The luck of a match is drawn from real sessions of 20 deals between equal bots (`equal_sessions.py`); skills are leads
in chips per 100 deals. In every field the three bots and three staff bots meet nine others, whose mean strength
differs from field to field. Tables in Markdown on stdout; research/ratings.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from random import Random
from statistics import fmean, pstdev

from equal_sessions import SEATS, Sessions
from rows import head, line

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate

DEALS = 20
STAFF = {"staff-low": -60.0, "staff-middle": 0.0, "staff-high": 60.0}
MEASURED = {"weak": -40.0, "middling": 0.0, "strong": 40.0}
OTHERS = 9
SPREAD = 40.0
"""The standard deviation of the others' leads within a field, in chips per 100 deals, as of all figures here."""
RANGES = (0.0, 60.0, 120.0)
"""How far the mean strength of the fields goes, down and up."""
REFERENCE_GAMES = 600
"""Games of each bot in the contest that sets the ratings of the staff bots, in a field of mean strength 0."""

Ratings = Mapping[str, Rating]
Figure = Callable[[Rating], float]


def field_of(centre: float, dice: Random) -> dict[str, float]:
    """Returns the leads of a field whose others have this mean strength."""
    return {**STAFF, **MEASURED, **{f"other{number}": dice.gauss(centre, SPREAD) for number in range(OTHERS)}}


def play(leads: Mapping[str, float], games: int, sessions: Sessions, dice: Random) -> list[MatchResult]:
    """Plays rounds in which every bot has one game, at tables drawn by chance."""
    tables: list[list[str]] = []
    for _ in range(games):
        order = dice.sample(sorted(leads), len(leads))
        tables += [order[seat : seat + SEATS] for seat in range(0, len(order), SEATS)]
    return [
        sessions.play(f"m{number:05}", table, dice, [leads[bot] for bot in table])
        for number, table in enumerate(tables)
    ]


def staff_ratings(sessions: Sessions, dice: Random) -> dict[str, Rating]:
    """Returns the ratings that the staff bots keep: those after a long contest, of which only the mus are kept."""
    leads = field_of(0.0, dice)
    found = rate(play(leads, REFERENCE_GAMES, sessions, dice), sorted(leads))
    return {bot: Rating(found[bot].mu, 0.0) for bot in STAFF}


def rate_field(leads: Mapping[str, float], results: Sequence[MatchResult], anchors: Ratings) -> tuple[Ratings, Ratings]:
    """Returns the ratings of a field without and with anchors."""
    bots = sorted(leads)
    return rate(results, bots), rate(results, bots, anchors=anchors)


def spread(fields: Sequence[Ratings], figure: Figure) -> float:
    """Returns the standard deviation of a bot's figure over the fields; the root mean square of the three bots."""
    return sqrt(fmean(pstdev(figure(ratings[bot]) for ratings in fields) ** 2 for bot in MEASURED))


def rows(reach: float, fields: int, games: Sequence[int], sessions: Sessions, anchors: Ratings) -> Iterator[str]:
    """Yields a row for each number of games, with fields from -`reach` to `reach`."""
    played = []
    for number in range(fields):
        dice = Random(f"field {number} to {reach}")
        leads = field_of(reach * (2 * number / (fields - 1) - 1), dice)
        played.append((leads, play(leads, max(games), sessions, dice)))
    for count in games:
        both = [rate_field(leads, results[: count * len(leads) // SEATS], anchors) for leads, results in played]
        free, anchored = zip(*both, strict=True)
        cells = [f"± {reach:.0f}", f"{count}"]
        for figure in (lambda rating: rating.mu, lambda rating: rating.score):
            pair = spread(free, figure), spread(anchored, figure)
            cells += [f"{pair[0]:.2f}", f"{pair[1]:.2f}", f"{pair[1] / pair[0]:.2f}"]
        yield line([*cells, f"{fmean(ratings[bot].sigma for ratings in anchored for bot in MEASURED):.2f}"])


HEADINGS = (
    *("strength of fields", "games", "mu, free", "mu, anchored", "ratio"),
    *("score, free", "score, anchored", "ratio", "sigma, anchored"),
)


def main(arguments: Sequence[str]) -> None:
    """Rates the staff bots, then all fields, and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", type=int, default=20, help="fields of each range, at least 2")
    parser.add_argument("--games", type=int, nargs="+", default=[50, 400, 1600], help="games of each bot in a field")
    options = parser.parse_args(arguments)
    sessions = Sessions(DEALS)
    anchors = staff_ratings(sessions, Random("staff"))
    print(*(f"{bot}: {rating.mu:.2f}" for bot, rating in anchors.items()), "", head(HEADINGS), sep="\n", flush=True)
    for reach in RANGES:
        for row in rows(reach, options.fields, options.games, sessions, anchors):
            print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
