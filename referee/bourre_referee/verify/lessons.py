"""Teaches the schools of a run again, match by match, so that each is checked after the lessons that it began with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from bourre.record import RecordError
from bourre.record.played_record import PlayedRecord, play_text
from bourre_referee.contest.recount import boards_of
from bourre_referee.luck import Schools
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.match_check import Task, check_seatings


def with_lessons(tasks: Iterable[Task]) -> Iterator[Task]:
    """Adds to each task, in schedule order, the lessons from the matches before it.

    The first finished attempt at a match teaches, so that annulling it changes no other match's luck.
    """
    schools = Schools()
    for task in tasks:
        bots = [seat.bot for seat in task.stored.seats] if task.stored else []
        yield replace(task, lessons=tuple(schools.lessons(bots)))
        if (task.voids or schools.pupils(bots)) and (played := _first_played(task)):
            _teach(schools, played)


def _first_played(task: Task) -> PlayedRecord | None:
    """Plays the record of the first finished attempt again. None if it is wrong: its check says why."""
    texts = [void.record for void in task.voids] + [task.stored.record if task.stored else None]
    try:
        return next((play_text(text) for text in texts if text is not None), None)
    except RecordError:
        return None


def _teach(schools: Schools, played: PlayedRecord) -> None:
    with suppress(Difference):  # the check of this match tells of it
        check_seatings(played.record)
        schools.add(played.record.header.bots, boards_of(played), played.record.header.house)
