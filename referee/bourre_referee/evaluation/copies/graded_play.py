"""The play of a class: all submissions of an assignment are given the same deals, so copies leave the same records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from bourre.record import RecordedAsk, asks, read
from bourre_referee.evaluation.copies.known_bots import known_bots
from bourre_referee.evaluation.copies.same_play import Alike, Play, find_alike
from bourre_referee.evaluation.grade.feedback import GradingResult
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION
from bourre_referee.storage.run import Run


def copies_in_class(graded: Sequence[GradingResult]) -> tuple[Alike, ...]:
    """Return the submissions that decided alike in the hidden deals; starts no process, and none of their code.

    Raises ContestError if a run is damaged.
    """
    return find_alike([_play(one.student, one.hidden) for one in graded if one.hidden], known_bots())


def _play(student: str, folder: Path) -> Play:
    run = Run.open(folder)
    return Play(student, run.manifest.digest or student, lambda: _playings(run))


def _playings(run: Run) -> Iterator[Iterator[RecordedAsk]]:
    """Yield the asks of each deal in each seating, which meets an instance of its own."""
    for match in run.matches():
        record = read(run.record(match))
        own = asks(record, record.header.bots.index(SUBMISSION))
        for _, playing in groupby(own, key=lambda ask: (ask.view.deal, ask.seating)):
            yield playing
