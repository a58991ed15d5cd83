"""`bourre stats`: how sure the standings are, what seats are worth, how bots play; `bourre rate`: the ratings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson, RunArgument
from bourre_referee.cli.exit_codes import BadUsage

if TYPE_CHECKING:
    from bourre_referee.ratings import Rating
    from bourre_referee.statistics.analysis import Analysis
    from bourre_referee.statistics.rating_comparison import RatingTable
    from bourre_referee.statistics.standing import Standings
    from bourre_referee.storage.run.run import Run


def stats(
    where: RunArgument,
    seed: Annotated[
        int,
        typer.Option(metavar="N", help="Seed of the resamples and permutations; the same seed gives the same figures."),
    ] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="as many as help", help="How many processes read the records."),
    ] = None,
    collusion: Annotated[
        bool, typer.Option("--collusion", help="Also have the champion judge who favours whom (extra champion).")
    ] = False,
    fitted: Annotated[
        bool,
        typer.Option(
            "--fitted", help="Also correct pairs by what fits the contest's own deals (only in format duplicate)."
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """Print what the results and records tell beyond the standings.

    Shows the chance that each bot is above each other, rank intervals, tied groups, pairs raw and less luck, seats,
    reneges and faults, how well bots follow the rules, style of play, a test for chips that flow to a friend, and chips
    for what the bots say they used. With --collusion, the champion judges all decisions for four more tests: seconds
    per 1,000 deals. An unfinished run is shown as far as it has come.
    """
    from rich.console import Console

    from bourre_referee.cli.analysis import print_analysis
    from bourre_referee.statistics.analysis import analysis_json
    from bourre_referee.statistics.reported_usage import reported_usage
    from bourre_referee.storage.run.run import Run

    run = Run.open(where)
    table, analysis = _analyse(run, seed, jobs, collusion=collusion, fitted=fitted)
    usage = reported_usage(table.rows, run.usage())
    if json:
        print(analysis_json(table, analysis, usage))
    else:
        print(f"{table.contest}: {table.matches} of {run.manifest.matches} matches of {run.manifest.terms.deals} deals")
        print_analysis(analysis, Console(highlight=False), usage, fitted=fitted)


def _analyse(run: Run, seed: int, jobs: int | None, *, collusion: bool, fitted: bool) -> tuple[Standings, Analysis]:
    from bourre_referee.cli.exit_codes import tell
    from bourre_referee.cli.progress import show_steps, steps
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.derived.run_analysis import analyse_run, check_fitted, fitted_pairs, judge_favours

    if fitted:
        check_fitted(run)
    with steps(only_in_terminal=True) as advance:
        table, analysis = analyse_run(
            run,
            open_result_cache(os.environ),
            seed,
            jobs,
            lambda counted, total: show_steps(advance, "records", counted, total),
        )
        if collusion and find_spec("numpy") is None:
            tell("only the flow of chips is tested: the champion needs an extra, pip install 'bourre[champion]'")
        elif collusion:
            analysis = judge_favours(
                run, analysis, lambda matches, total: show_steps(advance, "decisions", matches, total)
            )
    if fitted:
        analysis = replace(analysis, pairs=fitted_pairs(run, analysis.pairs))
    return table, analysis


DECIMALS = 4

AnchorsGiven = Annotated[
    list[str] | None,
    typer.Option(
        "--anchor",
        metavar="BOT=MU",
        show_default=False,
        help="Fix this bot's rating, with sigma 0, or as BOT=MU,SIGMA; the others are then on its scale. It replaces "
        "what the contest file gives this bot.",
    ),
]


def rate(
    where: RunArgument,
    anchor: AnchorsGiven = None,
    json: AsJson = False,
) -> None:
    """Recompute the ratings from the stored results.

    The rating of the standings, which ignores the order of the matches, is shown beside that of one pass over them in
    order. An unfinished run is rated as far as it has come.
    """
    from bourre_referee.statistics.rating_comparison import compare_ratings
    from bourre_referee.storage.run.run import Run

    run = Run.open(where)
    results = run.results()
    anchors = {**run.manifest.anchors, **_read_anchors(anchor or (), run.bots)}
    table = compare_ratings(results, run.bots, anchors)
    if json:
        print(_document(run, len(results), table, anchors))
    else:
        _print(run, len(results), table, anchors)


def _read_anchors(given: Iterable[str], bots: Sequence[str]) -> dict[str, Rating]:
    """Returns the fixed ratings; raises BadUsage for what is no rating of a bot of this contest."""
    anchors: dict[str, Rating] = {}
    for text in given:
        bot, rating = _read_anchor(text)
        if bot not in bots:
            raise BadUsage(f"--anchor {text}: there is no bot {bot!r} in this contest; there are {', '.join(bots)}")
        if bot in anchors:
            raise BadUsage(f"--anchor {text}: {bot} has an anchor already: give one rating of each bot")
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
        raise BadUsage(f"--anchor {text!r}: write a bot and its rating, such as --anchor tight=25.0 or tight=25.0,0.5")
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
