"""The standings: a line for each bot, and who took how much from whom."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from bourre_referee.statistics.estimates import CrossTable

RENEGE_RULES = ("R5.2", "R5.3", "R5.4", "R5.6", "R6.2")
"""The rules that a card can break."""


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
    """A letter for each of its tied groups: two bots share one exactly where the results do not tell them apart."""
    adjusted_per_100: float | None
    """In format `duplicate`: chips per 100 deals, less the luck of the draw (`bourre_referee.model.luck`)."""
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

    def _cross_by_name(self) -> dict[str, dict[str, object]]:
        names = [row.bot for row in self.rows]
        return {
            name: {other: asdict(cell) for other, cell in zip(names, line, strict=True) if cell}
            for name, line in zip(names, self.cross, strict=True)
        }
