"""Who is how good, and how sure that is: all numbers of a contest, from its results alone."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from bourre_referee.ratings import Rating, rate
from bourre_referee.results import MatchResult, SeatResult
from bourre_referee.stats import (
    ADJUSTED_PARTS,
    CrossTable,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    cross_table,
    per_100,
)
from bourre_referee.ties import marks, tied_groups

RENEGE_RULES = ("R5.2", "R5.3", "R5.4", "R5.6", "R6.2")
"""The rules that a card can break."""

HEADINGS = (
    *("rank", "bot", "mu", "sigma", "score", "deals", "chips", "chips_per_100", "ci95_low", "ci95_high"),
    *("wins", "bourres", "reneges", "faults", "house_deals", "tied"),
    *("adjusted_per_100", "adjusted_low", "adjusted_high"),
    *(f"reneges_{rule}" for rule in RENEGE_RULES),
)

DECIMALS = 4
"""Of every broken number: fewer than those in which two platforms could differ."""

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A cell that begins so is run by a spreadsheet, unless an apostrophe makes it text. The last four are wide forms."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line."""

    rank: int
    bot: str
    mu: float
    sigma: float
    score: float
    """mu - 3 sigma."""
    deals: int
    chips: float
    """Whole in format `session`."""
    chips_per_100: float
    ci95: tuple[float, float] | None
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    tied: str
    """A letter for each tied group that it belongs to: neighbours that the results do not tell apart."""
    adjusted_per_100: float | None
    """In format `duplicate`: chips per 100 deals, less the luck of the draw (`bourre_referee.luck`)."""
    adjusted_ci95: tuple[float, float] | None
    reneges_by_rule: dict[str, int]
    """Of each rule of RENEGE_RULES that was broken."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The whole table. Numbers are rounded, so that the same results give the same bytes everywhere."""

    contest: str
    format: str
    matches: int
    digest: str
    rows: tuple[Standing, ...]
    """Best first."""
    cross: CrossTable
    """Rows and columns in the order of `rows`."""

    def to_json(self) -> str:
        """One JSON document: the table, and the cross-table by the bots' names."""
        document = {
            "contest": self.contest,
            "format": self.format,
            "matches": self.matches,
            "digest": self.digest,
            "standings": [asdict(row) for row in self.rows],
            "cross": self._cross_by_name(),
        }
        return json.dumps(document, indent=2)

    def to_csv(self) -> str:
        """The table with a line of headings, safe to open in a spreadsheet; every line ends with a newline."""
        text = io.StringIO()
        writer = csv.DictWriter(text, HEADINGS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(_cells(row) for row in self.rows)
        return text.getvalue()

    def _cross_by_name(self) -> dict[str, dict[str, object]]:
        names = [row.bot for row in self.rows]
        return {
            name: {other: asdict(cell) for other, cell in zip(names, line, strict=True) if cell}
            for name, line in zip(names, self.cross, strict=True)
        }


def standings(contest: str, format: str, digest: str, results: Sequence[MatchResult], bots: Sequence[str]) -> Standings:
    """The standings after these results, which must come in schedule order.

    Sorted by score, then chips per 100 deals, then name. A bot that has not played has zeros and no interval.
    Neighbours are tied where the interval of their difference, in `duplicate` less the luck, has 0 in it.
    ValueError for a bot that is not among `bots`.
    """
    ratings = rate(results, bots)
    played: dict[str, list[tuple[MatchResult, int]]] = {bot: [] for bot in bots}
    for match in results:
        for number, seat in enumerate(match.seats):
            played[seat.bot].append((match, number))
    rows = [_standing(bot, ratings[bot], played[bot]) for bot in bots]
    rows.sort(key=lambda row: (-row.score, -row.chips_per_100, row.bot))
    order = [row.bot for row in rows]
    cross = cross_table(results, order)
    return Standings(
        contest,
        format,
        len(results),
        digest,
        rows=tuple(
            replace(row, rank=rank, tied=mark)
            for rank, (row, mark) in enumerate(zip(rows, _marks(results, rows), strict=True), start=1)
        ),
        cross=tuple(tuple(cell and _rounded_estimate(cell) for cell in line) for line in cross),
    )


def _marks(results: Sequence[MatchResult], rows: Sequence[Standing]) -> list[str]:
    order = [row.bot for row in rows]
    idle = {row.bot for row in rows if not row.deals}
    differences = cross_table(results, order, adjusted=True)

    def apart(one: str, other: str) -> bool:
        known = differences[order.index(one)][order.index(other)]
        shown = known is not None and known.ci95 is not None and not known.ci95[0] <= 0 <= known.ci95[1]
        return shown or one in idle or other in idle

    return marks(order, tied_groups(order, apart))


def _standing(bot: str, rating: Rating, played: Sequence[tuple[MatchResult, int]]) -> Standing:
    """The line of a bot that has still to be ranked, from its matches and the number of its seat in each."""
    seats = [match.seats[number] for match, number in played]
    unit = played[0][0].unit if played else 1
    estimate = _rounded_estimate(per_100((block for at in played for block in blocks_of(*at)), unit))
    adjusted = _adjusted(played, unit)
    return Standing(
        rank=0,
        bot=bot,
        mu=_rounded(rating.mu),
        sigma=_rounded(rating.sigma),
        score=_rounded(rating.score),
        deals=estimate.deals,
        chips=_in_chips(sum(seat.chips for seat in seats), unit),
        chips_per_100=estimate.chips_per_100,
        ci95=estimate.ci95,
        adjusted_per_100=adjusted.chips_per_100 if adjusted else None,
        adjusted_ci95=adjusted.ci95 if adjusted else None,
        wins=sum(seat.wins for seat in seats),
        bourres=sum(seat.bourres for seat in seats),
        reneges=sum(seat.reneges for seat in seats),
        faults=sum(seat.faults for seat in seats),
        house_deals=sum(seat.house_deals for seat in seats),
        tied="",
        reneges_by_rule=_by_rule(seats),
    )


def _adjusted(played: Sequence[tuple[MatchResult, int]], unit: int) -> Estimate | None:
    """What is left when the luck of the draw is taken off; None where it is not known."""
    blocks = [block for match, number in played if match.blocks for block in adjusted_blocks_of(match, number)]
    return _rounded_estimate(per_100(blocks, unit * ADJUSTED_PARTS)) if blocks else None


def _in_chips(parts: int, unit: int) -> float:
    whole, rest = divmod(parts, unit)
    return _rounded(parts / unit) if rest else whole


def _by_rule(seats: Sequence[SeatResult]) -> dict[str, int]:
    times = {rule: sum(dict(seat.broken).get(rule, 0) for seat in seats) for rule in RENEGE_RULES}
    return {rule: number for rule, number in times.items() if number}


def _rounded_estimate(estimate: Estimate) -> Estimate:
    ci95 = estimate.ci95 and (_rounded(estimate.ci95[0]), _rounded(estimate.ci95[1]))
    return Estimate(_rounded(estimate.chips_per_100), ci95, estimate.deals)


def _rounded(number: float) -> float:
    return round(number, DECIMALS) + 0.0  # and -0.0 is 0.0


def _cells(row: Standing) -> dict[str, object]:
    """The cells of a bot's line by their headings; an interval takes two."""
    cells: dict[str, object] = {}
    for heading, cell in asdict(row).items():
        if heading in ("ci95", "adjusted_ci95"):
            name = heading.removesuffix("_ci95")
            cells[f"{name}_low"], cells[f"{name}_high"] = cell or (None, None)
        elif heading == "reneges_by_rule":
            cells |= {f"reneges_{rule}": row.reneges_by_rule.get(rule, 0) for rule in RENEGE_RULES}
        else:
            cells[heading] = as_text(cell) if isinstance(cell, str) else cell
    return cells


def as_text(name: str) -> str:
    """A name as a cell that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULA_SIGNS) else name
