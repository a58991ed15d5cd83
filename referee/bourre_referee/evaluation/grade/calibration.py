"""Marks the reference bots, an unchanged starter and examples like submissions, to show how fair a mark is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from pathlib import Path
from statistics import fmean, median, stdev

from bourre.bot import Bot
from bourre.bot_code.bot_file import find, load
from bourre.bot_code.example_folders import shipped_folders
from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.evaluation.compare.comparison_contest import play_in_process
from bourre_referee.evaluation.grade.marks.grading_contests import hidden_contest
from bourre_referee.evaluation.grade.marks.marking import Mark, MarkEvidence, mark, rate
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan, StaffBot
from bourre_referee.evaluation.starters.starter import HERE, PYTHON

STARTER = "starter"
EXAMPLES = ("lowest", "tight", "counter")
"""Three strengths. The weakest plays every hand, and its lowest legal card."""
CHEAP = (f"({STARTER})", f"({EXAMPLES[0]})")
"""Bots without any work."""
GRADES = 10
"""The grades into which all points are divided, as from 90 to 100."""


@dataclass(frozen=True, slots=True)
class StaffMarks:
    """A reference bot's marks: first with the plan's seed, then with the others."""

    bot: str
    marks: tuple[Mark, ...]
    rates: tuple[float, ...]
    """Chips per 100 deals, in the same order."""


def calibrate(plan: Plan, seeds: int) -> Iterator[StaffMarks]:
    """Marks each reference bot in this process: it plays all of them, itself included, with a submission's cards.

    Then it marks the unchanged starter and some examples, with their names in parentheses: students may hand them in.
    """
    for bot in (*plan.staff, *_handed_in(plan)):
        evidence = [_evidence(replace(plan, seed=(plan.seed + step) % 2**63), bot) for step in range(seeds + 1)]
        marks = tuple(mark(plan, found) for found in evidence)
        yield StaffMarks(bot.name, marks, tuple(rate(found).chips_per_100 for found in evidence))


def _handed_in(plan: Plan) -> Iterator[StaffBot]:
    known = {bot.file.resolve() for bot in plan.staff}
    folders = list(shipped_folders())
    files = {STARTER: HERE / PYTHON.name / PYTHON.bot, **{name: Path(find(name, folders)) for name in EXAMPLES}}
    for name, file in files.items():
        if file.resolve() not in known:
            yield StaffBot(f"({name})", file)


def calibration_lines(plan: Plan, found: Iterator[StaffMarks]) -> Iterator[str]:
    """Yields a table of total marks, warnings, then the points of each item."""
    names = max(len(bot.name) for bot in (*plan.staff, *_handed_in(plan)))
    yield f"{plan.name}: bots marked as submissions (sd, over other seeds, is the effect of luck alone)"
    yield f"{'':{names}}   points  mean    sd   least    most   chips/100     sd"
    all_marks: list[StaffMarks] = []
    for one in found:
        all_marks.append(one)
        yield _line(one, names)
    yield from _order_problems(all_marks[: len(plan.staff)])
    yield from _cheap_points(all_marks)
    yield from _luck(plan, all_marks)
    yield from ("", "points by item: with the plan's seed, and on average with other seeds")
    yield from _items(all_marks)


def _order_problems(all_marks: Sequence[StaffMarks]) -> Iterator[str]:
    """Yields a line for each bot that wins more than the next one in the plan."""
    for weaker, stronger in pairwise(all_marks):
        if fmean(weaker.rates) > fmean(stronger.rates):
            yield f"{weaker.bot} is before {stronger.bot} in the plan, which lists the weakest first, but wins more"


def _cheap_points(all_marks: Sequence[StaffMarks]) -> Iterator[str]:
    """Yields a line for each bot without any work that meets thresholds with most seeds."""
    for one in (one for one in all_marks if one.bot in CHEAP):
        cheap = [
            repr(item.name)
            for number, item in enumerate(one.marks[0].items)
            if item.is_won and median(found.items[number].points for found in one.marks) == item.max_points
        ]
        if cheap:
            yield f"{one.bot} has all points of {' and '.join(cheap)}.\nhint: raise per_100, or take stronger bots"


def _luck(plan: Plan, all_marks: Sequence[StaffMarks]) -> Iterator[str]:
    """Yields a line if luck moves a mark by more than a grade step, with the deals that would do."""
    step = plan.points / GRADES
    largest = max(_sd([found.points for found in one.marks[1:]]) for one in all_marks)
    if largest > step:
        deals = ceil(round(plan.deals * (largest / step) ** 2, 6))
        yield f"Luck moves a mark by {largest:.1f} points (sd), more than a grade, {step:g}.\nhint: deals = {deals}"


def _line(one: StaffMarks, names: int) -> str:
    points = [found.points for found in one.marks]
    others = points[1:]
    return (
        f"{one.bot:{names}}  {points[0]:>7g} {fmean(others):>5.1f} {_sd(others):>5.1f} {min(others):>7g} "
        f"{max(others):>7g}  {one.rates[0]:>+10.1f} {_sd(one.rates[1:]):>6.1f}"
    )


def _items(all_marks: Sequence[StaffMarks]) -> Iterator[str]:
    for number, item in enumerate(all_marks[0].marks[0].items):
        yield f"{item.name} ({item.max_points:g})"
        for one in all_marks:
            points = [found.items[number].points for found in one.marks]
            yield f"  {one.bot}: {points[0]:g}, {fmean(points[1:]):.1f}"


def _sd(numbers: Sequence[float]) -> float:
    return stdev(numbers) if len(numbers) > 1 else 0.0


def _evidence(plan: Plan, bot: StaffBot) -> MarkEvidence:
    contest = hidden_contest(plan, ("python", str(bot.file)), plan.folder)
    classes: dict[str, type[Bot]] = {one.name: load(str(one.file)) for one in plan.staff}
    classes[SUBMISSION] = load(str(bot.file))
    specs = matches_of(contest, master_seed(plan.seed))
    return MarkEvidence(tuple(play_in_process(contest, specs, classes)))
