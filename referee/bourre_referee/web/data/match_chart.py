"""The coordinates of a match's chart: everybody's chips after each deal, marks, the turning point, the pots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bourre_referee.web.data.charts import Tick, clamp, round_numbers
from bourre_referee.web.data.chip_curve import SIDE, spread
from bourre_referee.web.data.chip_totals import ChipTotals, LeadStory
from bourre_referee.web.data.match_page import DealLine

MOST_PLACES = 400
"""The most places of a line, more than a screen can separate."""

MOST_MARKED = 100
"""The most deals with a mark for each bourré and renege. More would hide the lines."""

APART = 6.5
"""The least distance between the numbers above the chart, in per cent of its width."""


@dataclass(frozen=True, slots=True)
class ChipLine:
    """The line of one bot."""

    bot: str
    tone: int
    """Its place in the match, from 1, which is also the number of its colour."""
    path: str
    last: float
    """Its chips at the end."""
    end: float
    """The height of its end, in per cent from the top."""
    label: float
    """The height of its name there."""


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A bourré or a renege on a line."""

    x: float
    y: float
    kind: Literal["bourre", "renege"]


@dataclass(frozen=True, slots=True)
class PotBar:
    """The pot of one deal."""

    line: DealLine
    tone: int
    """The colour of the bot that took it. 0 if it stayed or was split."""
    height: float
    """In per cent of the largest pot."""


@dataclass(frozen=True, slots=True)
class MatchChart:
    """The parts of a drawing. All numbers but those of paths are per cent from the left or from the top."""

    lines: tuple[ChipLine, ...]
    """Best bot first."""
    values: tuple[Tick, ...]
    zero: float
    marks: tuple[ChartMark, ...]
    pots: tuple[PotBar, ...]
    run: tuple[float, float] | None
    """The beginning and the end of the run that decided the match."""
    numbered: tuple[tuple[float, str], ...]
    """The places and the numbers of the deals named above the chart."""


def match_chart(
    totals: ChipTotals, deals: Sequence[DealLine], ranked: Sequence[str], lead: LeadStory | None, named: Sequence[int]
) -> MatchChart:
    """Returns the chart. `ranked` are the bots, best first, and `named` the deals to number, from 0, in this order."""
    ends = [value for line in totals.chips for value in line]
    ticks = round_numbers(clamp(min(ends)), clamp(max(ends)))
    axis = _MatchAxis(ticks[0], ticks[-1], len(deals))
    tones = {bot: tone for tone, bot in enumerate(ranked, start=1)}
    chips = dict(zip(totals.bots, totals.chips, strict=True))
    labels = spread({bot: axis.down(chips[bot][-1]) for bot in ranked})
    return MatchChart(
        lines=tuple(
            ChipLine(bot, tone, axis.path(chips[bot]), chips[bot][-1], axis.down(chips[bot][-1]), labels[bot])
            for bot, tone in tones.items()
        ),
        values=tuple(Tick(axis.down(value), value) for value in ticks),
        zero=axis.down(0),
        marks=tuple(_marks(totals, deals, axis)) if len(deals) <= MOST_MARKED else (),
        pots=tuple(_pots(deals, tones)),
        run=(axis.across(lead.taken_at), axis.across(lead.until + 1)) if lead else None,
        numbered=tuple(_numbered(named, deals, axis)),
    )


@dataclass(frozen=True, slots=True)
class _MatchAxis:
    low: float
    high: float
    deals: int

    def down(self, chips: float) -> float:
        """Returns the place of an amount, in per cent from the top."""
        return round(100 * (self.high - clamp(chips)) / (self.high - self.low), 2)

    def across(self, deals: float) -> float:
        """Returns the place after this many deals, in per cent from the left."""
        return round(100 * deals / self.deals, 2)

    def path(self, chips: Sequence[float]) -> str:
        """Returns the path of a line."""
        stride = max(1, -(-len(chips) // MOST_PLACES))
        shown = sorted({*range(0, len(chips), stride), len(chips) - 1})
        places = (f"{self.across(at) * SIDE / 100:g} {self.down(chips[at]) * SIDE / 100:g}" for at in shown)
        return "M" + "L".join(places)


def _marks(totals: ChipTotals, deals: Sequence[DealLine], axis: _MatchAxis) -> Iterator[ChartMark]:
    for at, deal in enumerate(deals, start=1):
        for seat, chips in enumerate(totals.chips):
            place = axis.across(at), axis.down(chips[at])
            if deal.bourred[seat]:
                yield ChartMark(*place, "bourre")
            if deal.reneges[seat]:
                yield ChartMark(*place, "renege")


def _pots(deals: Sequence[DealLine], tones: dict[str, int]) -> Iterator[PotBar]:
    largest = max(clamp(deal.pot) for deal in deals) or 1.0
    for deal in deals:
        tone = tones[deal.winners[0]] if len(deal.winners) == 1 else 0
        yield PotBar(deal, tone, round(max(4.0, 100 * clamp(deal.pot) / largest), 1))


def _numbered(named: Sequence[int], deals: Sequence[DealLine], axis: _MatchAxis) -> Iterator[tuple[float, str]]:
    """Yields the deals whose numbers do not overlap those before."""
    taken: list[float] = []
    for at in named:
        x = axis.across(at + 1)
        if all(abs(x - other) >= APART for other in taken):
            taken.append(x)
            yield x, deals[at].id
