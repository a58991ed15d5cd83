"""The rows of the standings on the first page: each bot's place, result and interval, its form, and what to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bourre_referee.statistics.standing import Standing
from bourre_referee.web.data.charts import Strip, StripAxis, centre_with_interval
from bourre_referee.web.data.run_page import RunData

LAST = 6
"""The most matches of a bot's form."""
TALLEST = 16.0
"""The height of the tallest bar of a form."""


@dataclass(frozen=True, slots=True)
class FormBar:
    """The result of one match as a bar above or below a line."""

    chips: float
    height: float


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A bot's row."""

    standing: Standing
    brackets: tuple[str, ...]
    """Its parts of the brackets, a column each."""
    chips: float | None
    """The chips per 100 deals that the page shows."""
    ends: tuple[float, float] | None
    """The interval around them."""
    strip: Strip | None
    """The picture of the interval."""
    matches: int
    firsts: int
    """In how many of its matches it came first."""
    form: tuple[FormBar, ...]
    """Its last matches, newest last."""
    course: tuple[float, ...]
    """Its chips per 100 deals over time."""
    facts: tuple[str, ...]
    """What to know about it, worst first."""


def standing_rows(run: RunData, axis: StripAxis) -> tuple[StandingRow, ...]:
    """Returns a row for each bot, best first. Their intervals lie on one axis."""
    table, results = run.standings, _results_by_bot(run)
    tallest = max((abs(chips) for played in results.values() for chips, _ in played[-LAST:]), default=0.0)
    return tuple(
        StandingRow(
            row,
            parts,
            *centre_with_interval(row),
            axis.strip(*centre_with_interval(row)),
            len(results.get(row.bot, ())),
            sum(rank == 1 for _, rank in results.get(row.bot, ())),
            tuple(_bar(chips, tallest) for chips, _ in results.get(row.bot, ())[-LAST:]),
            tuple(point.estimates[row.bot].chips_per_100 for point in run.course if row.bot in point.estimates),
            tuple(_facts(run, row)),
        )
        for row, parts in zip(table.rows, table.bracket_columns(), strict=True)
    )


def _results_by_bot(run: RunData) -> Mapping[str, list[tuple[float, int]]]:
    """Returns the chips and ranks of each bot, in schedule order."""
    found: dict[str, list[tuple[float, int]]] = {}
    for line in run.matches:
        for seat in line.seats:
            found.setdefault(seat.bot, []).append((line.chips(seat), seat.rank))
    return found


def _bar(chips: float, tallest: float) -> FormBar:
    return FormBar(chips, max(2.0, round(TALLEST * (abs(chips) / tallest), 1)) if tallest else 2.0)


def _facts(run: RunData, row: Standing) -> Iterator[str]:
    if row.bot in run.no_shows:
        yield "no rank"
    for times, word in ((row.reneges, "renege"), (row.faults, "fault")):
        if times:
            yield f"{times:,} {word}{'s' if times > 1 else ''}"
    if row.house_deals:
        yield f"{row.house_deals:,} {'deals' if row.house_deals > 1 else 'deal'} by the stand-in"
    if row.bot in run.standings.too_few:
        yield "too few matches to tell apart"
    if row.bot in run.anchors:
        yield "anchor"
