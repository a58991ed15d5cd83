"""What a student does after reading a mark: commands for home, the item to mend first, and the next exercise."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from bourre.rules.house import HouseRules
from bourre_referee.evaluation.grade.marks.grading_contests import is_single_table, practice_size
from bourre_referee.evaluation.grade.marks.marking import Mark
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan
from bourre_referee.text.names import printable


def next_step_lines(plan: Plan, command: Sequence[str], *, never_started: bool = False) -> Iterator[str]:
    """Yields the commands that find mistakes at home; none if `command` is empty, because nothing can be started.

    `bourre check` starts a bot as the grader does.
    """
    if not command:
        return
    own_command = [word.removeprefix(f"{SUBMISSION}/") for word in command]
    if never_started:
        yield from ("", "To see the same at home, in the folder that you handed in:", f"  {_check(plan, own_command)}")
        return
    if _is_file(own_command):
        yield from (
            "",
            "To look for a first mistake in 2000 deals at home:",
            f"  {_practice(plan, own_command[1], 2000)}",
        )
    else:
        yield from ("", "To find mistakes at home, in the folder that you handed in:", f"  {_check(plan, own_command)}")
    matches, deals = practice_size(plan)
    again = "To play the practice deals again" if _have_all(plan) else "To play such deals"
    yield from ("", f"{again} at home, as here, {matches} matches at once:")
    yield f"  {_practice(plan, shlex.join(own_command), deals)} --matches {matches}"


def _have_all(plan: Plan) -> bool:
    """Returns whether students have all reference bots and rules."""
    is_public = all(staff.example for staff in plan.staff) and is_single_table(plan)
    return is_public and plan.house == HouseRules.preset(plan.preset)


def _is_file(command: Sequence[str]) -> bool:
    return command[0] == "python" and len(command) == 2


def _practice(plan: Plan, bot: str, deals: int) -> str:
    examples = [staff.example for staff in plan.staff if staff.example] or ["tight", "random"]
    table = ",".join(islice(cycle(examples), plan.seats - 1))
    words = ["bourre", "practice", bot, "--against", table, "--deals", str(deals)]
    return shlex.join([*words, "--seed", str(plan.practice_seed), "--rules", plan.preset])


def _check(plan: Plan, command: Sequence[str]) -> str:
    bot = [command[1]] if _is_file(command) else ["--command", shlex.join(command)]
    words = ["bourre", "check", *bot, "--files", ".", "--deals", "2000"]
    return shlex.join([*words, "--seed", str(plan.practice_seed), "--rules", plan.preset])


def what_next(plan: Plan, given: Mark, *, has_played: bool) -> Iterator[str]:
    """Yields the item to mend first, if any lost points, then what follows this assignment."""
    missed = [item for item in given.items if not item.passed]
    # A mistake can be mended. Then the reference bot comes that is beaten most nearly, and of equals the weakest.
    easiest = min(missed, key=lambda item: (item.is_won, -item.points / item.max_points), default=None)
    if not has_played:
        yield from (
            "",
            f"All {given.max_points:g} points wait for a bot that plays: begin with the first line above.",
        )
    elif easiest:
        yield from ("", f"To gain next: {easiest.max_points - easiest.points:g} points of `{easiest.name}`.")
    if plan.next:
        yield from ("", f"Next: {printable(plan.next)}")
