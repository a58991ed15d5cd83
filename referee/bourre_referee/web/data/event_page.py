"""The chart and the stories of a contest, next to the standings on the first page."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.storage.run.rooms_file import SeatedRoom
from bourre_referee.web.data.chip_curve import ChipCurveChart, chip_curve_chart
from bourre_referee.web.data.contest_stories import ContestStories, contest_stories
from bourre_referee.web.data.moments import Moments
from bourre_referee.web.data.run_page import RunData


@dataclass(frozen=True, slots=True)
class EventData:
    """A contest as an event."""

    chart: ChipCurveChart | None
    """None before the second match."""
    tables: tuple[SeatedRoom, ...]
    """The rooms in play."""
    stories: ContestStories
    seen: int
    """The number of finished matches in which moments were searched."""
    secret: bool
    """Whether the seed is still secret, so that a story shows only what an onlooker could see."""


def event_data(
    run: RunData, moments: Moments, seen: int, *, secret: bool, tables: tuple[SeatedRoom, ...] = ()
) -> EventData:
    """Returns the data of this state of the run."""
    ranked = [row.bot for row in run.standings.ranked]
    chart = chip_curve_chart(run.course, ranked, run.numbers)
    return EventData(chart, tables, contest_stories(run.standings, run.matches, moments), seen, secret)
