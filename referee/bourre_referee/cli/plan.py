"""`bourre run --plan`: who would meet whom, and how balanced that is; nothing is played."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bourre_referee.cli.exit_codes import BadUsage, tell

if TYPE_CHECKING:
    from bourre_referee.contest.schedule import Schedule

MOST, MOST_BOTS = 1_000_000, 1_000
"""Limits of matches and bots: more would take too long to count, and nobody plays them."""

PRACTICE_SEED = 7


@dataclass(frozen=True, slots=True)
class PlanSize:
    """A contest that has no file yet."""

    bots: int | None
    seats: int | None
    rounds: int | None
    tables: int | None
    seed: int | None

    @property
    def options(self) -> list[str]:
        """The options that were passed."""
        values = {"--bots": self.bots, "--seats": self.seats, "--rounds": self.rounds, "--tables": self.tables}
        return [option for option, value in (values | {"--seed": self.seed}).items() if value is not None]


def print_plan(contest_file: Path | None, size: PlanSize, *, json: bool) -> None:
    """Prints the schedule of a contest file, or of a contest of this size, whose bots are then b1, b2, ...

    A contest of this many bots with this seed plays the same schedule. Raises BadUsage.
    """
    from bourre_referee.contest.schedule.round_robin import schedule_json, schedule_lines

    if contest_file is not None:
        if size.options:
            raise BadUsage(f"{size.options[0]} is for a plan without a contest file.\nhint: remove {contest_file}")
        names, made = _plan_of_file(contest_file)
    else:
        names, made = _plan_of_size(size)
    print(schedule_json(made, names) if json else "\n".join(schedule_lines(made, names)))


def _plan_of_file(contest_file: Path) -> tuple[list[str], Schedule]:
    from bourre.rules.deck import derive, master_seed
    from bourre_referee.contest.contest_file import load
    from bourre_referee.contest.schedule_section import schedule_of
    from bourre_referee.derived.answers_cache import schedule_searches
    from bourre_referee.derived.result_cache import open_result_cache

    contest = load(contest_file)
    if contest.seed is None:
        tell("The seed of this contest is secret: its bots will get other places in a schedule as balanced as this.")
    parts = derive(master_seed(PRACTICE_SEED if contest.seed is None else contest.seed), "schedule")
    searches = schedule_searches(open_result_cache(os.environ))
    return list(contest.names), schedule_of(contest.schedule, contest.names, contest.seats, parts, searches)


def _plan_of_size(size: PlanSize) -> tuple[list[str], Schedule]:
    from bourre.rules.deck import derive, master_seed
    from bourre_referee.contest import schedule as schedules
    from bourre_referee.derived.answers_cache import schedule_searches
    from bourre_referee.derived.result_cache import open_result_cache

    bots, seats = size.bots, size.seats
    if bots is None or seats is None:
        raise BadUsage("Which contest?\nhint: pass a contest file, or --bots and --seats")
    if size.rounds is not None and size.tables is not None:
        raise BadUsage("--rounds and --tables exclude each other.\nhint: pass one of them")
    matches = size.tables if size.tables is not None else bots * (bots - 1 if size.rounds is None else size.rounds)
    if bots > MOST_BOTS or matches > MOST:
        raise BadUsage(f"The limits are {MOST_BOTS} bots and {MOST} matches.\nhint: use a smaller --bots or --rounds")
    parts = derive(master_seed(PRACTICE_SEED if size.seed is None else size.seed), "schedule")
    searches = schedule_searches(open_result_cache(os.environ))
    try:
        if size.tables is None:
            made = schedules.round_robin(bots, seats, size.rounds, parts, searches)
        else:
            made = schedules.round_robin_tables(bots, seats, size.tables, parts, searches)
    except ValueError as error:
        raise BadUsage(str(error)) from error
    return [f"b{number}" for number in range(1, bots + 1)], made
