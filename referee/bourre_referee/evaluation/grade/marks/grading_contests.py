"""The two contests of a submission: practice deals, which students may see, and hidden ones, which decide the mark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in
from bourre_referee.evaluation.grade.plan.grading_plan import PRACTICE_DEALS, SUBMISSION, Plan

PRACTICE_FAULTS = 3
"""The most faults in a practice match, so that a match with a bot that never answers ends soon."""

TABLES = 32


def hidden_contest(plan: Plan, command: tuple[str, ...], folder: Path, venv: Path | None = None) -> Contest:
    """Returns the contest that decides the mark: the same deals for every submission, each in all seatings.

    `command` is run in `folder`, where the submission's files are, with the packages of `venv`. Bots start anew in
    every match, so a single line-up plays one match, with the faults of as many as there are seats.
    """
    contest = _contest(plan, command, folder, venv)
    if is_single_table(plan):
        schedule = ScheduleChoice("once", line_ups=(contest.names,))
        return replace(contest, schedule=schedule, deals=plan.deals, max_faults=plan.max_faults * plan.seats)
    return replace(contest, deals=max(1, -(-plan.deals // _matches(contest))))


def practice_contest(plan: Plan, command: tuple[str, ...], folder: Path, venv: Path | None = None) -> Contest:
    """Returns a short contest with the practice seed, whose cards the student may see.

    It is a session of `bourre practice`, which repeats it. Its matches share one start of each bot.
    """
    contest = _contest(plan, command, folder, venv)
    matches, deals = practice_size(plan)
    schedule = ScheduleChoice(rounds=1) if is_single_table(plan) else contest.schedule
    return replace(
        contest,
        name=f"{plan.name}-practice"[:32],
        seed=plan.practice_seed,
        format="session",
        tables=min(matches, TABLES),
        schedule=schedule,
        deals=deals,
        max_faults=min(PRACTICE_FAULTS, plan.max_faults),
    )


def practice_size(plan: Plan) -> tuple[int, int]:
    """Returns the number of practice matches, in which every bot has every seat equally often, and their deals."""
    matches = plan.seats * (1 if is_single_table(plan) else len(plan.staff))
    return matches, max(1, PRACTICE_DEALS // matches)


def is_single_table(plan: Plan) -> bool:
    """Returns whether all reference bots sit at one table with the submission. Others take turns, in a gauntlet."""
    return len(plan.staff) == plan.seats - 1


def _contest(plan: Plan, command: tuple[str, ...], folder: Path, venv: Path | None) -> Contest:
    entrant = Entrant(SUBMISSION, command, (str(folder / SUBMISSION),), venv=str(venv) if venv else None)
    staff = (Entrant(bot.name, ("python", str(bot.file)), (str(bot.file),)) for bot in plan.staff)
    return Contest(
        name=plan.name,
        seed=plan.seed,
        seats=plan.seats,
        deals=1,
        format="duplicate",
        tables=TABLES,
        stakes=(0,),
        house=plan.house,
        schedule=ScheduleChoice("gauntlet", bot=SUBMISSION),
        clock=plan.clock,
        max_faults=plan.max_faults,
        entrants=(entrant, *staff),
        folder=folder,
        isolation=plan.isolation,
    )


def _matches(contest: Contest) -> int:
    return matches_in(contest.schedule, len(contest.entrants), contest.seats)
