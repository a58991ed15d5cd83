"""What a student does after reading a mark: commands for home, the item to mend first, and the next exercise."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from bourre_referee.evaluation.grade.marks.marking import Mark
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan
from bourre_referee.text.names import printable


def next_step_lines(plan: Plan, command: Sequence[str] = (), *, never_started: bool = False) -> Iterator[str]:
    """Yields the command that finds mistakes at home. `bourre check` starts a bot as the grader does."""
    own_command = [word.removeprefix(f"{SUBMISSION}/") for word in command] or ["python", "bot.py"]
    if never_started:
        yield from ("", "To see the same at home, in the folder that you handed in:", f"  {_check(plan, own_command)}")
    elif own_command[0] == "python" and len(own_command) == 2:
        yield from ("", "To find and explain the first mistake at home:", f"  {_practice(plan, own_command[1], 2000)}")
    else:
        yield from ("", "To find mistakes at home, in the folder that you handed in:", f"  {_check(plan, own_command)}")
    if not never_started:
        bot = own_command[1] if own_command[0] == "python" and len(own_command) == 2 else shlex.join(own_command)
        yield from ("", "To play at home as the hidden deals are played, many tables at once:")
        yield f"  {_practice(plan, bot, plan.deals)} --duplicate"


def _practice(plan: Plan, bot: str, deals: int) -> str:
    examples = [staff.example for staff in plan.staff if staff.example] or ["tight", "random"]
    table = ",".join(islice(cycle(examples), plan.seats - 1))
    words = ["bourre", "practice", bot, "--against", table, "--deals", str(deals)]
    return shlex.join([*words, "--seed", str(plan.practice_seed), "--rules", plan.preset])


def _check(plan: Plan, command: Sequence[str]) -> str:
    is_file = command[0] == "python" and len(command) == 2
    bot = [command[1]] if is_file else ["--command", shlex.join(command)]
    words = ["bourre", "check", *bot, "--files", ".", "--deals", "2000"]
    return shlex.join([*words, "--seed", str(plan.practice_seed), "--rules", plan.preset])


def what_next(plan: Plan, given: Mark) -> Iterator[str]:
    """Yields the item to mend first, if any lost points, then what follows this assignment."""
    worst = max(given.items, key=lambda item: item.max_points - item.points, default=None)
    if worst and not worst.passed:
        yield from ("", f"Most points to gain: {worst.name} ({worst.max_points - worst.points:g}).")
    if plan.next:
        yield from ("", f"Next: {printable(plan.next)}")
