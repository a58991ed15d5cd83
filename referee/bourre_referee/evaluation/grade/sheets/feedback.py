"""Writes feedback for a student: each item, the first mistake with its hand and rule, and how to reproduce it.

It uses the mark and the practice deals. Of the hidden deals it contains only sums.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path

from bourre.bot_code.printed_error import first_failure
from bourre.practice.mistake import Mistake
from bourre.practice.recorded_mistakes import recorded_mistakes
from bourre.record import read
from bourre.rules.actions import Fault, Play, Recall
from bourre.rules.errors import BourreError
from bourre.rules.events import Reneged
from bourre.words.table_words.event_sentences import incident_lines
from bourre.words.table_words.readers import Reader
from bourre_referee.evaluation.grade.marks.grading_contests import PRACTICE_FAULTS
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult, Practice
from bourre_referee.evaluation.grade.marks.marking import HOUSE_ONE_IN, Item, MarkEvidence, evidence_of, format_times
from bourre_referee.evaluation.grade.plan.grading_plan import PRACTICE_DEALS, SUBMISSION, Plan
from bourre_referee.evaluation.grade.sheets.log_excerpt import LOG_BYTES, excerpt, first_log, warnings_in
from bourre_referee.evaluation.grade.sheets.next_steps import next_step_lines, what_next
from bourre_referee.evaluation.played_mistakes import last_raised
from bourre_referee.evaluation.review.review_text import habit_lines, mistake_lines
from bourre_referee.evaluation.review.reviewed_play import Review, review_run, worst
from bourre_referee.sandbox.bot_log import NEVER_STARTED
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.start_failures import find_start_failure
from bourre_referee.text.names import printable, seat_names
from bourre_referee.text.narration.events_by_deal import deals_of, story_of

LOG_LINES = 30
LINE_LENGTH = 300


def practice_of(folder: Run, work: Path) -> Practice:
    """Returns the facts of this run that its bot's author may know, with paths relative to `work`."""
    log = first_log(folder.path, SUBMISSION).replace(f"{work}/", "")
    evidence = evidence_of(folder)
    absent = evidence.house_deals == evidence.playings
    lines = excerpt(log)[-LOG_LINES:]
    return Practice(
        evidence=evidence,
        renege=_first_renege(folder),
        printed=tuple(printable(line)[:LINE_LENGTH] for line in lines),
        start_failure=find_start_failure(FolderLocation(folder.path).logs, SUBMISSION) if absent else "",
        error=printable(last_raised(log) or _first_impossible(folder, evidence))[:LINE_LENGTH],
        warnings=tuple(printable(line)[:LINE_LENGTH] for line in warnings_in(log))[:LOG_LINES],
    )


def log_heads(folder: Path) -> Iterator[str]:
    """Yields the beginning of each log of the submission in the run in this folder."""
    for log in sorted((FolderLocation(folder).logs / SUBMISSION).glob("*.log")):
        with log.open("rb") as file:
            yield file.read(LOG_BYTES).decode(errors="replace")


def first_error(folder: Path, files: Path) -> str:
    """Returns kind and place of the first error in the logs of the submission with these files, without cards.

    What it prints could tell them, and so could the messages and names of its exceptions. So only those of Python are
    named, and lines of files that it handed in.
    """
    for head in log_heads(folder):
        found = first_failure(head)
        if found and found.place and (files / found.place.name).is_file():
            kind = getattr(builtins, found.kind, None)
            is_known = isinstance(kind, type) and issubclass(kind, BaseException)
            return f"{found.kind if is_known else 'an error'} in {printable(str(found.place))}"
    return ""


def _first_impossible(folder: Run, evidence: MarkEvidence) -> str:
    """Returns the first answer with cards that the bot could not play or discard; empty without such a fault."""
    if not {kind for kind, _ in evidence.faults} & {Fault.ILLEGAL_DISCARD, Fault.NOT_HELD}:
        return ""
    found = (one for match in folder.matches() for one, _ in recorded_mistakes(read(folder.record(match)), ""))
    return next((one.why for one in found if one.bot == SUBMISSION and one.said and not _is_renege(one)), "")


def _is_renege(one: Mistake) -> bool:
    return isinstance(one.said, Play | Recall) and one.said.card in one.view.hand


def _first_renege(folder: Run) -> tuple[str, ...]:
    for match in folder.matches():
        found = tuple(_reneges(folder.record(match)))
        if found:
            return found
    return ()


def _reneges(record: str) -> Iterator[str]:
    """Yields the first renege of the submission in this match."""
    parsed = read(record)
    for deal in deals_of(parsed):
        seat = deal.bots.index(SUBMISSION) if SUBMISSION in deal.bots else None
        story, reader = story_of(deal), Reader(seat_names(deal.bots), you=seat)
        for incident in story.incidents:
            if isinstance(incident.event, Reneged) and incident.event.seat == seat:
                yield f"match {parsed.header.match}, {deal.place}"
                yield from (line.strip(" !") for line in incident_lines(incident, story, reader))
                return


NO_MARK = (
    "This submission could not be marked, which is not your fault: the grader failed. It has no mark yet. "
    "Tell the course staff, who find the reason in their report."
)


CHIPS_EXPLAINED = (
    "Chips per 100 deals: what your bot won more than the bot named (against all: its own winnings). What lucky cards",
    "brought is taken off. The range in brackets: there the figure would lie on other deals, 19 times in 20.",
)

NOT_REVIEWED = "Your decisions in the practice deals could not be reviewed, because your bot made none."


def feedback(plan: Plan, graded: GradingResult) -> str:
    """Writes the feedback as lines of text."""
    return "".join(f"{line}\n" for line in _lines(plan, graded))


def _lines(plan: Plan, graded: GradingResult) -> Iterator[str]:
    if graded.mark is None:
        yield f"{plan.name}: no mark"
        yield from ("", printable(graded.waiting) or NO_MARK, *graded.term)
        return
    if first := [*([printable(graded.trouble)] if graded.trouble else []), *graded.warnings]:
        yield from (*first, "")
    yield f"{plan.name}: {graded.points:g} of {graded.mark.max_points:g} points"
    yield from graded.term
    if graded.pseudonym and graded.evidence.is_ranked:  # bots that did not play are not on it
        yield f"on the leaderboard, which rounds points and chips, you are {graded.pseudonym}"
    yield from ("", *(item_line(item) for item in graded.mark.items))
    if graded.hidden_error:
        yield f"The first error there, in deals whose cards stay secret: {graded.hidden_error}"
    if graded.evidence.results and any(item.is_won for item in graded.mark.items):
        yield from ("", *CHIPS_EXPLAINED)
    if graded.ignored:
        yield from ("", graded.ignored)
    if graded.practice:
        yield from practice_lines(plan, graded.practice)
    if plan.review:
        yield from ("", *(graded.review or (NOT_REVIEWED,)))
    never_started = graded.practice is not None and graded.practice.start_failure != ""
    yield from next_step_lines(plan, graded.command, never_started=never_started)
    yield from what_next(plan, graded.mark, has_played=not graded.trouble)


def fault_in_words(kind: str, plan: Plan) -> str:
    """Describes a kind of fault and its meaning."""
    means = {
        Fault.START_FAILURE: f"the bot ended, or was not ready within {plan.clock.start_ms / 1000:g} s",
        Fault.LATE: f"no answer within {plan.clock.decision_ms / 1000:g} s{_reserve(plan.clock.bank_ms / 1000)}",
        Fault.STALLED: "all the time for the match was used up",
        Fault.CRASHED: "the bot ended in the middle of a match",
        Fault.DISCONNECTED: "the bot left in the middle of a match",
        Fault.ERROR: "an exception in the bot, or an answer of the wrong kind",
        Fault.ILLEGAL_DISCARD: "a discard that the rules forbid",
        Fault.NOT_HELD: "a card that the bot did not hold",
        Fault.OVER_LIMIT: "the bot used more than is allowed",
    }
    words = kind.replace("_", " ")
    return f"{words}, {means[Fault(kind)]}" if kind in means else words


def _reserve(seconds: float) -> str:
    return f", and the {seconds:g} s of reserve time for the match were used up" if seconds else ""


def item_line(item: Item) -> str:
    """Writes an item with its points."""
    return f"{item.points:>6g} of {item.max_points:<6g} {item.name}: {item.explanation}"


def practice_lines(plan: Plan, practice: Practice) -> Iterator[str]:
    """Yields the mistakes in the practice deals."""
    deals = f"{practice.evidence.playings} practice deals (seed {plan.practice_seed})"
    yield ""
    if practice.renege:
        yield f"Your first illegal card in {deals}:"
        yield from (f"  {line}" for line in practice.renege)
    for kind, times in practice.evidence.faults:
        yield f"Fault in {deals}, {format_times(times)}: {fault_in_words(kind, plan)}"
    if 0 < practice.evidence.house_deals < practice.evidence.playings:
        most = min(PRACTICE_FAULTS, plan.max_faults)
        yield f"After fault {most} in a match, the referee plays for a bot until the match ends."
        yield f"A bot gets no points if the referee plays more than one in {HOUSE_ONE_IN} of its deals."
    if not practice.renege and not practice.evidence.faults:
        yield f"Nothing went wrong in {deals}."
    elif printed := [line for line in practice.printed if not line.startswith(NEVER_STARTED)]:
        yield from ("", "Your bot's log there, shortened (lines that begin with bourre are not by your bot):")
        yield from (f"  | {line}" for line in printed)


def review_of(folder: Run, most: int) -> tuple[str, ...]:
    """Returns the review of the practice deals as lines, with at most `most` mistakes. It is empty if `most` is 0.

    The same run gives the same lines. A run that cannot be reviewed costs nobody the mark.
    """
    if not most:
        return ()
    try:
        review = review_run(folder, SUBMISSION, PRACTICE_DEALS)
    except BourreError:
        return (NOT_REVIEWED,)
    return tuple(_review_lines(review, most)) if review.decisions else (NOT_REVIEWED,)


def _review_lines(review: Review, most: int) -> Iterator[str]:
    found = worst(review.decisions, most)
    judged = f"{len(review.decisions)} decisions in {review.deals} practice deals"
    if not found:
        yield f"A review of your {judged} by the champion found no mistake. It does not affect the mark."
    else:
        yield f"What cost most of your {judged}, in the champion's judgement (this does not affect the mark):"
    for number, one in enumerate(found, start=1):
        yield from mistake_lines(number, one)
    yield from review.warnings
    if habits := list(habit_lines(review.decisions)):
        yield from ("Your bot's habits:", *habits)
    yield from review.limits
