"""The standings for a spreadsheet, in which no name is taken for a formula."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict

from bourre_referee.statistics.standing import RENEGE_RULES, Standing, Standings

HEADINGS = (
    *("rank", "bot", "mu", "sigma", "score", "deals", "chips", "chips_per_100", "ci95_low", "ci95_high"),
    *("wins", "bourres", "reneges", "faults", "house_deals", "tied"),
    *("adjusted_per_100", "adjusted_low", "adjusted_high"),
    *(f"reneges_{rule}" for rule in RENEGE_RULES),
)

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A cell that begins so is run by a spreadsheet, unless an apostrophe makes it text. The last four are wide forms."""


def sheet(table: Standings) -> str:
    """The table as CSV with a line of headings, safe to open in a spreadsheet; every line ends with a newline."""
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADINGS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_cells(row) for row in table.rows)
    return text.getvalue()


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
