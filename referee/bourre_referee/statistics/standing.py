"""The standings as JSON and CSV: a row for each bot, and the cross-table."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.statistics.estimates import CrossTable, Estimate
from bourre_referee.statistics.tied_letters import bracket_columns


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's row in the standings."""

    rank: int | None
    """None for a no-show, whose figures are None too: the referee played most of its deals."""
    bot: str
    mu: float | None
    sigma: float | None
    score: float | None
    """mu - 3 sigma."""
    deals: int
    chips: float | None
    """A whole number in format `session`."""
    chips_per_100: float | None
    ci95: tuple[float, float] | None
    wins: int | None
    bourres: int | None
    reneges: int
    faults: int
    house_deals: int
    tied: str
    """A letter for each of its tied groups. Two bots share a letter exactly if they do not differ significantly."""
    adjusted_per_100: float | None
    """In format `duplicate`: chips per 100 deals, less the luck of the draw (`bourre_referee.luck`)."""
    adjusted_ci95: tuple[float, float] | None
    reneges_by_rule: dict[str, int]
    """How often its cards broke each of the RENEGE_RULES that they broke."""
    effect: float | None = None
    """Chips per 100 deals above the mean of this field, from all matches together (`field_model`), less known luck."""
    effect95: tuple[float, float] | None = None
    """Its comparison interval: two of them overlap exactly if their bots are tied."""
    matches_to_part: int | None = None
    """How many more matches would part it from the next bot, if play goes on alike. 0 if none, None if unknown."""


EFFECT_KEYS = frozenset({"effect", "effect95", "matches_to_part"})
"""The keys of a row that older methods did not have."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of a contest. Numbers are rounded, so the same results give the same bytes everywhere."""

    contest: str
    format: str
    matches: int
    digest: str
    rows: tuple[Standing, ...]
    """Best first. No-shows come last, by name."""
    cross: CrossTable
    """Rows and columns in the order of `rows`."""
    adjusted_cross: CrossTable | None = None
    """The same less luck. None where the luck is unknown."""
    ties: tuple[tuple[str, ...], ...] | None = None
    """Brackets of neighbours that are not told apart. None where an older method ranked the bots without effects."""
    too_few: tuple[str, ...] = ()
    """The bots with too few matches to tell them apart from others."""

    @property
    def ranked(self) -> tuple[Standing, ...]:
        """The rows of all bots except the no-shows."""
        return tuple(row for row in self.rows if row.rank is not None)

    def contradicts(self, row: int, column: int, cell: Estimate) -> bool:
        """Returns whether the interval of this pair alone says the opposite of its places. False in older runs."""
        if self.ties is None or cell.ci95 is None or None in (self.rows[row].rank, self.rows[column].rank):
            return False
        return cell.ci95[1] < 0 if row < column else cell.ci95[0] > 0

    def bracket_columns(self) -> list[tuple[str, ...]]:
        """Returns the part of each bracket in each row."""
        return bracket_columns([row.bot for row in self.rows], self.ties or ())

    def to_json(self) -> str:
        """Returns the standings as a JSON document, with the cross-table by the bots' names."""
        document: dict[str, object] = {
            "contest": self.contest,
            "format": self.format,
            "matches": self.matches,
            "digest": self.digest,
            "standings": [self._row(row) for row in self.rows],
            "cross": self._by_name(self.cross),
        }
        if self.ties is not None:
            document |= {"ties": self.ties, "too_few": self.too_few}
        if self.adjusted_cross is not None:
            document["adjusted_cross"] = self._by_name(self.adjusted_cross)
        return json.dumps(document, indent=2)

    def _row(self, row: Standing) -> dict[str, object]:
        return {key: value for key, value in asdict(row).items() if self.ties is not None or key not in EFFECT_KEYS}

    def _by_name(self, cross: CrossTable) -> dict[str, dict[str, object]]:
        names = [row.bot for row in self.rows]
        return {
            name: {other: asdict(cell) for other, cell in zip(names, line, strict=True) if cell}
            for name, line in zip(names, cross, strict=True)
        }


HEADINGS = (
    *("rank", "bot", "mu", "sigma", "score", "deals", "chips", "chips_per_100", "ci95_low", "ci95_high"),
    *("wins", "bourres", "reneges", "faults", "house_deals", "tied"),
    *("adjusted_per_100", "adjusted_low", "adjusted_high"),
    *(f"reneges_{rule}" for rule in RENEGE_RULES),
    *("effect", "effect_low", "effect_high", "matches_to_part", "no_show"),
)

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet runs a cell that starts with one of these, unless an apostrophe makes it text. Four are full-width."""

_NUMBER = re.compile(r"[0-9.][0-9.,:/e+-]*", re.ASCII | re.IGNORECASE)
"""Text that a spreadsheet may read as a number, a time or a date, as `00`, `1e5` and `1-2`."""
_KEPT_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}", re.ASCII)
"""Numbers that a spreadsheet keeps unchanged."""


def standings_csv(table: Standings, no_shows: Mapping[str, str]) -> str:
    """Returns the standings as CSV with headings, safe to open in a spreadsheet. Every line ends with a newline.

    `no_shows` gives the reason why a bot has no rank.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADINGS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_cells(row) | {"no_show": escape_cell(no_shows.get(row.bot, ""))} for row in table.rows)
    return text.getvalue()


def _cells(row: Standing) -> dict[str, object]:
    """Returns the cells of a bot's row by their headings. An interval has two cells."""
    cells: dict[str, object] = {}
    for heading, cell in asdict(row).items():
        if heading in ("ci95", "adjusted_ci95", "effect95"):
            name = heading if heading == "ci95" else heading.removesuffix("95").removesuffix("_ci")
            cells[f"{name}_low"], cells[f"{name}_high"] = cell or (None, None)
        elif heading == "reneges_by_rule":
            cells |= {f"reneges_{rule}": row.reneges_by_rule.get(rule, 0) for rule in RENEGE_RULES}
        else:
            cells[heading] = escape_cell(cell) if isinstance(cell, str) else cell
    return cells


def escape_cell(text: str) -> str:
    """Returns the text as a cell that no spreadsheet mistakes for a formula, number or date."""
    is_changed = _NUMBER.fullmatch(text) and not _KEPT_NUMBER.fullmatch(text)
    return f"'{text}" if is_changed or text.startswith(FORMULA_SIGNS) else text
