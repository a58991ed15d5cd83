"""What a student is told: each item, the first mistake with the hand and the rule, and how to see it again.

Made from the mark, and from the practice deals: of the hidden ones it holds sums alone.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from bourre.rules.actions import Fault
from bourre_referee.evaluation.grade.graded import Graded
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION, Plan
from bourre_referee.evaluation.grade.marking import Item
from bourre_referee.evaluation.grade.practice_feedback import Practice
from bourre_referee.text.names import printable

NO_MARK = (
    "This submission could not be marked, which is not your fault: the marking failed. It has no mark yet. "
    "Tell the course staff; they find the reason in their own report."
)


def feedback(plan: Plan, graded: Graded) -> str:
    """The whole of it, lines of text."""
    return "".join(f"{line}\n" for line in _lines(plan, graded))


def _lines(plan: Plan, graded: Graded) -> Iterator[str]:
    if graded.mark is None:
        yield f"{plan.name}: no mark"
        yield from ("", NO_MARK)
        return
    yield f"{plan.name}: {graded.mark.points:g} of {graded.mark.max_points:g} points"
    if graded.pseudonym and graded.evidence.results:  # who did not play stands nowhere
        yield f"on the leaderboard you are {graded.pseudonym}"
    yield ""
    if graded.trouble:
        yield printable(graded.trouble)
    else:
        yield from (item_line(item) for item in graded.mark.items)
        yield from ("", "Chips are counted less the luck of the draw, on deals that are the same for everyone.")
    if graded.practice:
        yield from practice_lines(plan, graded.practice)
    yield from how_to_go_on(plan, graded.command)


def fault_in_words(kind: str, plan: Plan) -> str:
    """A fault with what it means."""
    means = {
        Fault.START_FAILURE: f"the bot ended, or did not say hello within {plan.clock.start_ms / 1000:g} s",
        Fault.LATE: f"no answer within {plan.clock.decision_ms} ms, and the bank of the match was used up",
        Fault.STALLED: "all the time for a match was used up",
        Fault.CRASHED: "the bot ended in the middle of a match",
        Fault.ERROR: "the bot raised an exception",
        Fault.ILLEGAL_DISCARD: "a discard that the rules forbid",
        Fault.NOT_HELD: "a card that the bot did not hold",
        Fault.OVER_LIMIT: "the bot used more than a bot may",
    }
    words = kind.replace("_", " ")
    return f"{words}, {means[Fault(kind)]}" if kind in means else words


def item_line(item: Item) -> str:
    """An item with its points."""
    return f"{item.points:>6g} of {item.max_points:<6g} {item.name}: {item.told}"


def practice_lines(plan: Plan, practice: Practice) -> Iterator[str]:
    """What went wrong on the practice deals; nothing when nothing did."""
    deals = f"{practice.evidence.playings} practice deals (seed {plan.practice_seed})"
    yield ""
    if practice.renege:
        yield f"Your first card against the rules in {deals}:"
        yield from (f"  {line}" for line in practice.renege)
    for kind, times in practice.evidence.faults:
        yield f"Fault in {deals}: {fault_in_words(kind, plan)} ({times})"
    if not practice.renege and not practice.evidence.faults:
        yield f"Nothing went wrong in {deals}."
    elif practice.printed:
        yield from ("", "The last that your bot printed there:")
        yield from (f"  | {line}" for line in practice.printed)


def how_to_go_on(plan: Plan, command: Sequence[str] = ()) -> Iterator[str]:
    """The command that shows a mistake again, in the student's own folder; only Python plays in `practice`."""
    mine = [word.removeprefix(f"{SUBMISSION}/") for word in command] or ["python", "bot.py"]
    if mine[0] == "python" and len(mine) == 2:
        yield from ("", "To find mistakes at home, until the first one is explained:", f"  {_practice(plan, mine[1])}")
    else:
        yield from ("", "To find mistakes at home, in the folder that you handed in:", f"  {_check(plan, mine)}")


def _practice(plan: Plan, file: str) -> str:
    known = [bot.example for bot in plan.staff if bot.example][: plan.seats - 1]
    words = ["bourre", "practice", file, *(["--against", ",".join(known)] if known else []), "--deals", "2000"]
    return shlex.join([*words, "--seed", str(plan.practice_seed), "--preset", plan.preset])


def _check(plan: Plan, command: Sequence[str]) -> str:
    words = ["bourre", "check", "--command", shlex.join(command), "--files", ".", "--deals", "2000"]
    return shlex.join([*words, "--seed", str(plan.practice_seed), "--preset", plan.preset])
