"""The contests of a submission: a short one that students may see, and the hidden one that decides the mark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer

from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.pairing import Pairing, matches_in
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION, Plan
from bourre_referee.evaluation.grade.marking import Evidence
from bourre_referee.model.errors import Interrupted
from bourre_referee.runner.contest_run import Watch, run
from bourre_referee.runner.executor import MakeExecutor
from bourre_referee.runner.interrupt import Stop
from bourre_referee.storage.run.run import Run

PRACTICE_DEALS = 100
"""About how many deals students may see; each is played once."""

PRACTICE_FAULTS = 3
"""The most faults in a practice match, so that a match with a bot that never answers ends soon."""

TABLES = 32


class OutOfTime(Exception):
    """A contest of a submission took longer than the plan allows."""


def hidden_contest(plan: Plan, command: tuple[str, ...], folder: Path) -> Contest:
    """Make the contest that decides the mark: the same deals for every submission, each in all seatings.

    `command` is run in `folder`, where the submission's files are.
    """
    contest = _contest(plan, command, folder)
    return replace(contest, deals=max(1, -(-plan.deals // _matches(contest))))


def practice_contest(plan: Plan, command: tuple[str, ...], folder: Path) -> Contest:
    """Make a short contest with the practice seed, whose cards the student may see."""
    contest = _contest(plan, command, folder)
    return replace(
        contest,
        name=f"{plan.name}-practice"[:32],
        seed=plan.practice_seed,
        format="session",
        tables=1,
        deals=max(1, PRACTICE_DEALS // _matches(contest)),
        max_faults=min(PRACTICE_FAULTS, plan.max_faults),
    )


def _contest(plan: Plan, command: tuple[str, ...], folder: Path) -> Contest:
    entrant = Entrant(SUBMISSION, command, (str(folder / SUBMISSION),))
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
        schedule=pairing_of(plan),
        clock=plan.clock,
        max_faults=plan.max_faults,
        entrants=(entrant, *staff),
        folder=folder,
        isolation=plan.isolation,
    )


def pairing_of(plan: Plan) -> Pairing:
    """Seat all bots at one table, or play a gauntlet if there are more staff bots than seats."""
    names = (SUBMISSION, *(bot.name for bot in plan.staff))
    if len(names) == plan.seats:
        return Pairing("line-ups", line_ups=(names,))
    return Pairing("gauntlet", bot=SUBMISSION)


def _matches(contest: Contest) -> int:
    return matches_in(contest.schedule, len(contest.entrants), contest.seats)


Play = Callable[[Contest, Path], Run]
"""Plays or continues a contest in a run folder."""


def make_player(minutes: float, executor: MakeExecutor, watch: Watch) -> Play:
    """Return a function that plays a contest within these minutes; it raises OutOfTime, and what `run` raises."""

    def play(contest: Contest, folder: Path) -> Run:
        with Stop() as stop, _stop_after(minutes * 60, stop):
            try:
                return run(contest, folder, watch=watch, executor=executor, stop=stop)
            except Interrupted as error:
                if stop.asked:
                    raise
                raise OutOfTime from error

    return play


@contextmanager
def _stop_after(seconds: float, stop: Stop) -> Iterator[None]:
    timer = Timer(seconds, stop.call_off)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def evidence_of(folder: Run) -> Evidence:
    """Collect the evidence about the submission from the run in this folder."""
    faults: dict[str, int] = {}
    with closing(folder.stored_matches()) as matches:
        for seat in (seat for match in matches for seat in match.seats if seat.bot == SUBMISSION):
            for kind, times in seat.faults_by_kind:
                faults[kind] = faults.get(kind, 0) + times
    return Evidence(tuple(folder.results()), tuple(sorted(faults.items())))
