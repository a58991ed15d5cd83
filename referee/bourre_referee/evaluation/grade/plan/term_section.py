"""The terms of handing in: the deadline, late days and what they cost, and which version of a student counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from bourre_referee.contest.contest_keys import Section

TimeSource = Literal["staff", "course system", "first seen", "unknown"]
"""Who says when a version was handed in, never the student. `first seen`: `bourre grade` had it by then."""

_YEARS = range(2000, 2101)
_DAY = timedelta(days=1)


def _date_time(value: object) -> object:
    if isinstance(value, datetime) and value.year in _YEARS:
        return value
    raise PydanticCustomError("deadline", "must be a date and a time such as 2026-11-20T18:00:00, without quotes")


@dataclass(frozen=True, slots=True)
class HandedIn:
    """When a version was handed in, and who says so."""

    moment: datetime
    time_from: TimeSource


Days = Annotated[int, Field(ge=0, le=366)]


class TermSection(Section):
    """[term]. Without a deadline nobody is late."""

    deadline: Annotated[datetime, BeforeValidator(_date_time)] | None = None
    """Without an offset, it is the local time of this machine."""
    late_days: Days | None = None
    """A version that is later gets no points. With None, it may be as late as it likes."""
    penalty: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Per late day that has begun, in percent of the points."""
    counts: Literal["last", "best"] = "last"
    versions_a_day: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Further new versions of a student wait for the next day."""
    extra_days: Annotated[dict[str, Days], Field(default_factory=dict)]
    """Days by which the deadline of a student is later, by name or id."""


def term_problems(term: TermSection) -> Iterator[tuple[str, str]]:
    """Yields a key that has no effect, with the message."""
    if term.deadline is None:
        for key in ("late_days", "penalty", "extra_days"):
            if key in term.model_fields_set:
                yield key, f"[term] {key} has no effect without a deadline.\nhint: deadline = 2026-11-20T18:00:00"


def deadline_of(term: TermSection, student: Collection[str]) -> datetime | None:
    """Returns the deadline of a student with this name and this id, in wall-clock time as the plan has it."""
    extra = max((term.extra_days.get(word, 0) for word in student if word), default=0)
    return term.deadline + timedelta(days=extra) if term.deadline else None


def days_late(deadline: datetime, handed_in: datetime) -> int:
    """Returns how many days after the deadline have begun.

    A day ends at the same time on the clock, also where the clock is put forward or back.
    """
    days = max(0, ceil((handed_in - moment_of(deadline)) / _DAY) - 1)
    while handed_in > moment_of(deadline + days * _DAY):
        days += 1
    return days


def moment_of(deadline: datetime) -> datetime:
    """Returns the moment of a time that the plan gives with an offset, or in this machine's zone."""
    return (deadline if deadline.tzinfo else deadline.astimezone()).astimezone(UTC)


def shown_time(moment: datetime | None, deadline: datetime | None) -> str:
    """Returns the time of day in the deadline's offset, or else in this machine's. Empty if unknown."""
    if moment is None:
        return ""
    zone = deadline.tzinfo if deadline else None
    return moment.astimezone(zone).isoformat(" ", "seconds")
