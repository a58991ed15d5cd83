"""How a submission is played: a short contest that students may know, and the one that the mark comes from."""

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
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.room_reports import PlayRoom, play_room
from bourre_referee.storage.run_folder import RunFolder

PRACTICE_DEALS = 100
"""About how many deals students may know of; each is played once."""

PRACTICE_FAULTS = 3
"""In a match of these: a bot that never answers should be found out soon."""

TABLES = 32


class OutOfTime(Exception):
    """A contest of a submission took longer than the plan allows."""


def hidden_contest(plan: Plan, command: tuple[str, ...], folder: Path) -> Contest:
    """What the mark comes from: every deal in all seatings, for every submission the same deals.

    `command` is run in `folder`, where the submission's files are.
    """
    contest = _contest(plan, command, folder)
    return replace(contest, deals=max(1, -(-plan.deals // _matches(contest))))


def practice_contest(plan: Plan, command: tuple[str, ...], folder: Path) -> Contest:
    """A short one with the practice seed, whose cards the student may see."""
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
    handed_in = Entrant(SUBMISSION, command, (str(folder / SUBMISSION),))
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
        entrants=(handed_in, *staff),
        folder=folder,
        isolation=plan.isolation,
    )


def pairing_of(plan: Plan) -> Pairing:
    """One table where all sit, or the submission against a field of more staff bots than seats."""
    names = (SUBMISSION, *(bot.name for bot in plan.staff))
    if len(names) == plan.seats:
        return Pairing("line-ups", line_ups=(names,))
    return Pairing("gauntlet", bot=SUBMISSION)


def _matches(contest: Contest) -> int:
    return matches_in(contest.schedule, len(contest.entrants), contest.seats)


Play = Callable[[Contest, Path], RunFolder]
"""Plays a contest in a run folder, or goes on with it."""


def player(minutes: float, jobs: int | None, watch: Watch, play_room: PlayRoom = play_room) -> Play:
    """Plays contests within so many minutes each; raises OutOfTime, and what `running.run.run` raises."""

    def play(contest: Contest, folder: Path) -> RunFolder:
        with Stop() as stop, _called_off_after(minutes * 60, stop):
            try:
                return run(contest, folder, jobs=jobs, watch=watch, play_room=play_room, stop=stop)
            except Interrupted as error:
                if stop.asked:
                    raise
                raise OutOfTime from error

    return play


@contextmanager
def _called_off_after(seconds: float, stop: Stop) -> Iterator[None]:
    timer = Timer(seconds, stop.call_off)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def evidence_of(folder: RunFolder) -> Evidence:
    """What the run in this folder says about the submission."""
    faults: dict[str, int] = {}
    with closing(folder.kept()) as matches:
        for seat in (seat for match in matches for seat in match.seats if seat.bot == SUBMISSION):
            for kind, times in seat.faults_by_kind:
                faults[kind] = faults.get(kind, 0) + times
    return Evidence(tuple(folder.results()), tuple(sorted(faults.items())))
