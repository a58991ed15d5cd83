"""`bourre stats`: prints how sure the standings are, what seats are worth, how bots play, and who pays whom."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson, RunArgument

if TYPE_CHECKING:
    from bourre_referee.statistics.analysis import Analysis
    from bourre_referee.statistics.standing import Standings
    from bourre_referee.storage.run import Run


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
    from bourre_referee.storage.run import Run

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
