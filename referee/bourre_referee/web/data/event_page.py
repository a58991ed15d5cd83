"""The chart and the stories of a contest, next to the standings on the first page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bourre.record import read
from bourre.rules.errors import BourreError
from bourre_referee.storage.run.rooms_file import SeatedRoom
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.data.chip_curve import ChipCurveChart, chip_curve_chart
from bourre_referee.web.data.chip_totals import chip_totals
from bourre_referee.web.data.contest_stories import ContestStories, Upset, contest_stories
from bourre_referee.web.data.moments import Moments
from bourre_referee.web.data.run_page import RunData

Curve = tuple[float, ...]


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
    upset: tuple[Curve, Curve] | None
    """In the match of the upset, the chips of the bot that won and of the one it beat, at first and after each deal."""


def event_data(
    run: RunData,
    moments: Moments,
    seen: int,
    record: Callable[[str], str],
    *,
    secret: bool,
    tables: tuple[SeatedRoom, ...] = (),
) -> EventData:
    """Returns the data of this state of the run. `record` returns the record of a match."""
    ranked = [row.bot for row in run.standings.ranked]
    chart = chip_curve_chart(run.course, ranked, run.numbers)
    stories = contest_stories(run.standings, run.matches, moments)
    told = next((story for story in stories.told if isinstance(story, Upset)), None)
    upset = _curves(told, record) if told and not run.duplicate else None
    return EventData(chart, tables, stories, seen, secret, upset)


def _curves(upset: Upset, record: Callable[[str], str]) -> tuple[Curve, Curve] | None:
    """Returns None for a damaged record, which the match's own page reports."""
    try:
        played = read(record(upset.match))
        totals = chip_totals(played.header.bots, tuple(deals_of(played)))
    except BourreError:
        return None
    won, beaten = (totals.chips[totals.bots.index(bot)] for bot in (upset.bot, upset.beaten))
    return won, beaten
