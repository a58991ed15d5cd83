"""`bourre stats`: how certain the standings are, what seats are worth, how bots play; and the ratings."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson, RunArgument
from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.cli.ratings import print_ratings

if TYPE_CHECKING:
    from bourre_referee.statistics.analysis import Analysis
    from bourre_referee.statistics.standing import Standings
    from bourre_referee.storage.run.run import Run


AnchorsGiven = Annotated[
    list[str] | None,
    typer.Option(
        "--anchor",
        metavar="BOT=MU",
        show_default=False,
        help="With --ratings: fix this bot's rating, with sigma 0 or as BOT=MU,SIGMA. The others are on its scale. "
        "It replaces the anchor in the contest file.",
    ),
]


def stats(
    where: RunArgument,
    seed: Annotated[
        int,
        typer.Option(metavar="N", help="The seed of resampling. The same seed gives the same figures."),
    ] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="as many as help", help="How many processes read the records."),
    ] = None,
    collusion: Annotated[
        bool,
        typer.Option(
            "--collusion",
            help="Also let the champion judge which bots favour others, in seconds per 1,000 deals.",
        ),
    ] = False,
    fitted: Annotated[
        bool,
        typer.Option(
            "--fitted", help="In format duplicate: also correct each pair by a fit to the contest's own deals."
        ),
    ] = False,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="Print only the ratings, recomputed from the stored results.")
    ] = False,
    anchor: AnchorsGiven = None,
    json: AsJson = False,
) -> None:
    """Show how certain the standings are, and styles of play.

    Prints the chance that each bot is above each other, rank intervals, tied groups, pairs with and without luck, the
    value of each seat, broken rules and faults, styles of play, a test for chips that flow to a friend, and each bot's
    reported usage. An unfinished contest is shown as far as it is played.

    With --ratings it prints two ratings of each bot: the one in the standings, which ignores the order of the matches,
    and one computed match by match.
    """
    if ratings:
        if collusion or fitted:
            raise BadUsage("--ratings has no tests.\nhint: remove --collusion and --fitted")
        return print_ratings(where, anchor or (), json=json)
    if anchor:
        raise BadUsage("--anchor is for ratings.\nhint: add --ratings")
    from rich.console import Console

    from bourre_referee.cli.analysis_tables import print_analysis
    from bourre_referee.statistics.analysis import analysis_json
    from bourre_referee.storage.run.run import Run

    run = Run.open(where)
    table, analysis = _analyse(run, seed, jobs, collusion=collusion, fitted=fitted)
    usage = run.usage()
    if json:
        print(analysis_json(table, analysis, usage))
    else:
        print(f"{table.contest}: {table.matches} of {run.manifest.matches} matches of {run.manifest.terms.deals} deals")
        print_analysis(analysis, Console(highlight=False), usage, fitted=fitted)
    return None


def _analyse(run: Run, seed: int, jobs: int | None, *, collusion: bool, fitted: bool) -> tuple[Standings, Analysis]:
    from bourre_referee.cli.progress_meter import show_steps, steps
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
            from bourre.extras import install_command

            tell(f"Only the flow of chips is tested.\nhint: {install_command('champion')}")
        elif collusion:
            analysis = judge_favours(
                run, analysis, lambda matches, total: show_steps(advance, "decisions", matches, total)
            )
    if fitted:
        analysis = replace(analysis, pairs=fitted_pairs(run, analysis.pairs))
    return table, analysis
