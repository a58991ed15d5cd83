"""Which submissions of a class decide alike, and the report for whoever runs the class or the ladder: questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from bourre.record import RecordedAsk, asks, read
from bourre_referee.evaluation.copies.identical_play import Alike, BotPlay, find_alike, known_bots
from bourre_referee.evaluation.grade.feedback import GradingResult
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import printable


def copies_in_class(graded: Sequence[GradingResult]) -> tuple[Alike, ...]:
    """Returns the submissions that decided alike in the hidden deals; starts no process, and none of their code.

    Raises ContestError if a run is damaged.
    """
    return find_alike([_play(one.student, one.hidden) for one in graded if one.hidden], known_bots())


def _play(student: str, folder: Path) -> BotPlay:
    run = Run.open(folder)
    return BotPlay(student, run.manifest.digest or student, lambda: _playings(run))


def _playings(run: Run) -> Iterator[Iterator[RecordedAsk]]:
    """Yields the asks of each deal in each seating, which meets an instance of its own."""
    for match in run.matches():
        record = read(run.record(match))
        own = asks(record, record.header.bots.index(SUBMISSION))
        for _, playing in groupby(own, key=lambda ask: (ask.view.deal, ask.seating)):
            yield playing


FEW = 200
"""With fewer decisions than this, agreement says little."""

_HEAD = """\
Which bots decide alike. This is a question to you, never a verdict: short bots agree by themselves, and a copy changed
in one decision is not found. Nor is a bot found that draws random numbers of its own instead of `view.rng`: it does not
even play like itself. Compare the files before you ask anybody."""


def copies_report(alike: Sequence[Alike], compared: int) -> str:
    """Returns the text about `compared` bots."""
    return "\n".join([_HEAD, "", *_lines(alike, compared)]) + "\n"


def _lines(alike: Sequence[Alike], compared: int) -> Iterator[str]:
    if not alike:
        yield f"None of the {compared} bots compared decides like another, or like a bot that everybody has."
    for group in alike:
        names = ", ".join(map(printable, group.bots))
        yield f"{names}: {_claim(group)} in the first {group.decisions} decisions{_doubt(group.decisions)}"


def _claim(group: Alike) -> str:
    if group.known:
        return f"unchanged from what everybody has ({', '.join(group.known)}), or like it"
    return "alike"


def _doubt(decisions: int) -> str:
    return "; so few say little: ask for more deals" if decisions < FEW else ""


def copies_summary(alike: Sequence[Alike], place: str) -> str:
    """Returns one line for the terminal; empty if no two bots decide alike."""
    copied = sum(len(group.bots) > 1 for group in alike)
    same = f"{copied} group{'s' if copied != 1 else ''} of submissions"
    return f"{same} decide alike, which is a question and no verdict: {place}" if copied else ""
