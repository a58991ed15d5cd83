"""`bourre schedule`: prints who meets whom, and in which seats."""

from typing import Annotated

import typer

from bourre_referee.cli.arguments import AsJson
from bourre_referee.cli.exit_codes import BadUsage

MOST, MOST_BOTS = 1_000_000, 1_000
"""Limits of matches and bots: more would take too long to count, and nobody plays them."""


def schedule(
    bots: Annotated[int, typer.Option(metavar="N", help="How many bots play.")],
    seats: Annotated[int, typer.Option(metavar="N", help="How many sit at a table, 2 to 8.")],
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            show_default="one full cycle",
            help="How many rounds; in each, everyone sits once in every seat.",
        ),
    ] = None,
    tables: Annotated[int | None, typer.Option(metavar="N", help="How many matches, instead of rounds.")] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="As `seed` in a contest file; decides which bot gets which part.")
    ] = 7,
    json: AsJson = False,
) -> None:
    """Print a schedule, and how balanced it is.

    A contest of this many bots with this seed plays the same one; its bots are b1, b2, ... in the contest's order.
    """
    import os

    from bourre.rules.deck import derive, master_seed
    from bourre_referee import schedule as schedules
    from bourre_referee.derived.answers_cache import schedule_searches
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.schedule.round_robin import schedule_json, schedule_lines

    if rounds is not None and tables is not None:
        raise BadUsage("--rounds and --tables are two ways to say how much is played: choose one")
    matches = bots * (bots - 1 if rounds is None else rounds) if tables is None else tables
    if bots > MOST_BOTS or matches > MOST:
        raise BadUsage(f"ask for {MOST_BOTS} bots or fewer, and for {MOST} matches or fewer (--rounds, --tables)")
    parts = derive(master_seed(seed), "schedule")
    searches = schedule_searches(open_result_cache(os.environ))
    try:
        if tables is None:
            made = schedules.round_robin(bots, seats, rounds, parts, searches)
        else:
            made = schedules.round_robin_tables(bots, seats, tables, parts, searches)
    except ValueError as error:
        raise BadUsage(str(error)) from error
    names = [f"b{number}" for number in range(1, bots + 1)]
    print(schedule_json(made, names) if json else "\n".join(schedule_lines(made, names)))
