"""The data of the page on two bots: their difference in chips over time, and their last meetings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Block,
    BlockSums,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.statistics.standing import Standing
from bourre_referee.web.data.charts import POINTS, Chart, Point, chart
from bourre_referee.web.data.growing_run import MatchSummary
from bourre_referee.web.data.run_page import RunData

LAST = 20
"""The most meetings that are listed."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of both bots."""

    line: MatchSummary
    chips: tuple[float, float]
    """The chips that each of the two won or lost in it."""


@dataclass(frozen=True, slots=True)
class VersusData:
    """Everything about two bots."""

    one: Standing
    other: Standing
    estimate: Estimate
    """The difference of the two bots in chips per 100 deals, over the matches of both."""
    luckless: bool
    """Whether the luck of the draw is subtracted."""
    matches: int
    """The number of matches of both, or 0 if one is a no-show."""
    ahead: int
    """The number of these matches in which the first bot won more chips."""
    behind: int
    chart: Chart | None
    """The estimate over time. None until it has an interval."""
    meetings: tuple[Meeting, ...]
    """The last ones, newest first, at most LAST."""


def versus_data(run: RunData, one: int, other: int) -> VersusData | None:
    """Returns the data of the bots with these numbers. None if there are no such two."""
    if one == other or not all(1 <= number <= len(run.bots) for number in (one, other)):
        return None
    names = run.bots[one - 1], run.bots[other - 1]
    standings = {row.bot: row for row in run.standings.rows}
    luckless = all(standings[name].adjusted_ci95 is not None for name in names)
    both_played = all(standings[name].rank is not None for name in names)
    met = [result for result in run.results if both_played and _met(result, names)]
    lines = {line.match: line for line in run.matches}
    meetings = [Meeting(line, _chips(line, names)) for result in met if (line := lines.get(result.match))]
    course = list(_course(met, names, luckless))
    points = [Point(step.deals, step.chips_per_100, step.ci95) for step in course if step.ci95]
    return VersusData(
        one=standings[names[0]],
        other=standings[names[1]],
        estimate=course[-1] if course else Estimate(0.0, None, 0),
        luckless=luckless,
        matches=len(met),
        ahead=sum(meeting.chips[0] > meeting.chips[1] for meeting in meetings),
        behind=sum(meeting.chips[0] < meeting.chips[1] for meeting in meetings),
        chart=chart(points) if points else None,
        meetings=tuple(meetings[: -LAST - 1 : -1]),
    )


def _met(result: MatchResult, names: tuple[str, str]) -> bool:
    return {*names} <= {seat.bot for seat in result.seats}


def _chips(line: MatchSummary, names: tuple[str, str]) -> tuple[float, float]:
    by_bot = {seat.bot: line.chips(seat) for seat in line.seats}
    return by_bot[names[0]], by_bot[names[1]]


def _course(results: list[MatchResult], names: tuple[str, str], luckless: bool) -> Iterator[Estimate]:
    """Yields the estimate after some of these matches, and after the last."""
    sums, stride = BlockSums(), max(1, -(-len(results) // POINTS))
    for number, result in enumerate(results, start=1):
        for block in _blocks(result, names, luckless):
            sums.add(block.chips, block.deals, number)
        if number % stride == 0 or number == len(results):
            yield estimate_per_100(sums, result.unit * (ADJUSTED_PARTS if luckless else 1))


def _blocks(result: MatchResult, names: tuple[str, str], luckless: bool) -> Iterator[Block]:
    seats = {seat.bot: place for place, seat in enumerate(result.seats)}
    blocks = adjusted_blocks_of if luckless and result.blocks else blocks_of
    return blocks(result, seats[names[0]], seats[names[1]])
