"""`bourre stats --ratings`: the ratings, recomputed from the stored results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bourre_referee.cli.exit_codes import BadUsage

if TYPE_CHECKING:
    from bourre_referee.ratings import Rating
    from bourre_referee.statistics.rating_comparison import RatingTable
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.run_location import RunLocation

DECIMALS = 4


def print_ratings(where: RunLocation, anchor: Sequence[str], *, json: bool) -> None:
    """Prints the rating of the standings, which ignores the order of the matches, beside that of one pass in order."""
    from bourre_referee.statistics.rating_comparison import compare_ratings
    from bourre_referee.storage.run.run import Run

    run = Run.open(where)
    results = run.results()
    anchors = {**run.manifest.anchors, **_read_anchors(anchor, run.bots)}
    table = compare_ratings(results, run.bots, anchors, run.manifest.rating_version)
    if json:
        print(_document(run, len(results), table, anchors))
    else:
        _print(run, len(results), table, anchors)


def _read_anchors(given: Iterable[str], bots: Sequence[str]) -> dict[str, Rating]:
    """Returns the fixed ratings; raises BadUsage for what is no rating of a bot of this contest."""
    from bourre.rules.errors import unknown

    anchors: dict[str, Rating] = {}
    for text in given:
        bot, rating = _read_anchor(text)
        if bot not in bots:
            raise BadUsage(f"--anchor {text}: {unknown('bot', bot, bots)}")
        if bot in anchors:
            raise BadUsage(f"--anchor {text}: {bot} already has an anchor.\nhint: pass one per bot")
        anchors[bot] = rating
    return anchors


def _read_anchor(text: str) -> tuple[str, Rating]:
    from math import isfinite

    from bourre_referee.ratings import Rating

    bot, _, numbers = text.partition("=")
    try:
        mu, sigma = map(float, f"{numbers},0".split(",")[:2])
    except ValueError:
        mu = sigma = float("nan")
    if numbers.count(",") > 1 or not isfinite(mu) or not isfinite(sigma) or sigma < 0:
        raise BadUsage(f"--anchor {text!r} is not BOT=MU.\nhint: use --anchor tight=25.0 or --anchor tight=25.0,0.5")
    return bot, Rating(mu, sigma)


def _document(run: Run, matches: int, table: RatingTable, anchors: Mapping[str, Rating]) -> str:
    from json import dumps

    rows = [
        {"rank": row.rank, "bot": row.bot, "matches": row.matches, **_numbers(row.batch)}
        | {"one_pass": _numbers(row.one_pass)}
        for row in table.rows
    ]
    chance = round(table.draw_probability, DECIMALS)
    document = {"contest": run.manifest.contest, "matches": matches, "draw_probability": chance, "ratings": rows}
    if anchors:
        document["anchors"] = {bot: {"mu": rating.mu, "sigma": rating.sigma} for bot, rating in anchors.items()}
    return dumps(document, indent=2)


def _numbers(rating: Rating | None) -> dict[str, float | None]:
    """Returns the rounded numbers of a rating; None for those of a no-show."""
    numbers = {name: getattr(rating, name, None) for name in ("mu", "sigma", "score")}
    return {name: number if number is None else round(number, DECIMALS) + 0.0 for name, number in numbers.items()}


def _print(run: Run, matches: int, table: RatingTable, anchors: Mapping[str, Rating]) -> None:
    from rich.console import Console
    from rich.text import Text

    from bourre_referee.cli.standings_tables import UNLIMITED, empty_table
    from bourre_referee.text.names import printable

    print(f"{run.manifest.contest}: {matches} of {run.manifest.matches} matches\n")
    shown = empty_table("matches", "score", "mu", "sigma", "one pass: score", "mu", "sigma", gap=2)
    for row in table.rows:
        both = (of and (of.score, of.mu, of.sigma) for of in (row.batch, row.one_pass))
        ratings = [f"{number:.2f}" for numbers in both for number in numbers or ()]
        rank = "-" if row.rank is None else str(row.rank)
        shown.add_row(rank, Text(printable(row.bot)), str(row.matches), *(ratings or 6 * ["-"]))
    Console(width=UNLIMITED, highlight=False).print(shown)
    print("\nscore = mu - 3 sigma (TrueSkill); the standings go by the score of all matches at once")
    if anchors:
        own = run.manifest.anchors
        standings = "" if anchors == own else f"; the standings have {', '.join(own) if own else 'none'}"
        print(f"anchors, whose ratings are given: {', '.join(anchors)}{standings}")
