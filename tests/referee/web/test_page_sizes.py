"""No page is larger than 200 kB compressed, not even those of a large contest or a long match."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.ratings import Rating
from bourre_referee.statistics.match_sums import Tally
from bourre_referee.statistics.ranking import rank_bots
from bourre_referee.storage.run.run import Run
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.data.chip_curve import ChipCurve
from bourre_referee.web.data.event_page import event_data
from bourre_referee.web.data.moments import Moment, Moments
from bourre_referee.web.data.run_page import RunData, read_run
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.record_sums import CachedMoments
from bourre_referee.web.render import Pages
from bourre_referee.web.viewer import render_standalone
from tests.referee.web.viewing import mischievous_match

MOST = 200_000
"""Bytes of a page as `bourre view` compresses it."""


def size(page: str) -> int:
    return len(gzip.compress(page.encode(), 5))


def busy(data: RunData, bots: int, matches: int) -> RunData:
    """Returns the data of a contest of so many bots, five at a table, with numbers drawn from a fixed seed."""
    dice, tally, course = Random(7), Tally(), ChipCurve()
    names = [f"contestant-{number:03}" for number in range(1, bots + 1)]
    for number in range(1, matches + 1):
        chips = [dice.randrange(-300, 300) for _ in range(4)]
        chips.append(-sum(chips))
        seats = zip(dice.sample(names, 5), chips, ranks_of(chips), strict=True)
        played = tuple(SeatResult(bot, won, rank, 9, 9, 9, 9, 0) for bot, won, rank in seats)
        tally.add(MatchResult(f"m{number:04}", 50, played), number)
        course.note(tally)
    ratings = {bot: Rating(25 + dice.random(), 1 + dice.random()) for bot in names}
    numbers = {bot: number for number, bot in enumerate(names, start=1)}
    table = rank_bots("busy", "session", "", tally, ratings)
    return replace(data, standings=table, bots=tuple(names), numbers=numbers, course=course.points(tally))


def test_the_pages_of_a_large_contest_are_small(faulty: Path) -> None:
    data = busy(read_run(Run.open(faulty)), bots=100, matches=600)
    stories = CachedMoments().event(CachedRun(faulty).current()).data.stories
    told = replace(stories, told=tuple(story for story in stories.told if isinstance(story, Moment)))
    event, pages = (
        replace(event_data(data, Moments(), 600, Run.open(faulty).record, secret=True), stories=told),
        Pages(ServerLinks()),
    )
    assert event.chart is not None
    assert len(event.chart.series) < event.chart.bots == 100
    sizes = {
        name: size(page)
        for name, page in (
            ("home", pages.event("home.html", data, event)),
            ("wall", pages.event("wall.html", data, event)),
            ("cross", pages.cross(data)),
            ("versus", pages.render("versus.html", data, versus=None)),
        )
    }
    assert {name: found for name, found in sizes.items() if found > MOST} == {}
    assert sizes["cross"] > MOST / 10, "a page that says nothing proves nothing"


@pytest.mark.parametrize(("seats", "deals"), [(5, 50)])
def test_a_long_match_in_one_file_is_small(seats: int, deals: int) -> None:
    whole = size(render_standalone(mischievous_match(seats=seats, deals=deals)))
    assert MOST / 10 < whole <= MOST
