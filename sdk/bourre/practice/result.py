"""What practice gives back: chips and counts for each bot, and each match with its record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BotResult:
    """One bot over all its matches."""

    bot: str
    deals: int
    chips: int
    wins: int
    bourres: int
    reneges: int
    faults: int

    @property
    def per_100(self) -> float:
        """Chips for each 100 deals."""
        return 100 * self.chips / self.deals


@dataclass(frozen=True, slots=True)
class PracticeMatch:
    """One match; lists are by seat."""

    match: str
    bots: tuple[str, ...]
    balances: tuple[int, ...]
    record: str
    """JSON lines; see `bourre.record`."""


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """All matches; printed, it is a table with the best bot first."""

    bots: tuple[BotResult, ...]
    """In the order in which they were given."""
    matches: tuple[PracticeMatch, ...]
    problems: tuple[str, ...]
    """What would have stopped strict practice, in order."""

    def __str__(self) -> str:
        width = max(len("bot"), *(len(row.bot) for row in self.bots))
        lines = [f"{'bot':{width}}   deals    chips  per 100    wins  bourrés  reneges  faults"]
        for row in sorted(self.bots, key=lambda row: row.chips, reverse=True):
            lines.append(
                f"{row.bot:{width}} {row.deals:7} {row.chips:+8} {row.per_100:+8.1f} {row.wins:7} {row.bourres:8} "
                f"{row.reneges:8} {row.faults:7}"
            )
        return "\n".join(lines)
