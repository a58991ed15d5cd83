"""What the first page shows besides the standings: the course of the contest, and its moments."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.storage.rooms_in_play import SeatedRoom
from bourre_referee.web.data.course_chart import CourseChart, course_chart
from bourre_referee.web.data.moments import Moments
from bourre_referee.web.data.run_page import RunData


@dataclass(frozen=True, slots=True)
class EventData:
    """A contest as an event."""

    chart: CourseChart | None
    """None before the second match."""
    tables: tuple[SeatedRoom, ...]
    """The rooms in play."""
    moments: Moments
    seen: int
    """In how many of the finished matches the moments were found."""
    secret: bool
    """Whether the seed is still secret, so that a moment shows only what an onlooker at the table saw."""


def event_data(
    run: RunData, moments: Moments, seen: int, *, secret: bool, tables: tuple[SeatedRoom, ...] = ()
) -> EventData:
    """Return the data of this state of the run."""
    ranked = [row.bot for row in run.standings.ranked]
    return EventData(course_chart(run.course, ranked, run.numbers), tables, moments, seen, secret)
