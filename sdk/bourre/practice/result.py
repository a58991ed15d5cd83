"""The result of practice: chips and counts for each bot, and the record of each match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre.notes import Usage


@dataclass(frozen=True, slots=True)
class BotResult:
    """The result of one bot in one or more matches."""

    bot: str
    deals: int
    chips: int
    wins: int
    bourres: int
    reneges: int
    faults: int
    usage: Usage | None = None
    """Its usage, as the bot reports it."""

    @property
    def per_100(self) -> float:
        """Chips per 100 deals."""
        return 100 * self.chips / self.deals

    def __add__(self, other: BotResult) -> BotResult:
        return BotResult(
            bot=self.bot,
            deals=self.deals + other.deals,
            chips=self.chips + other.chips,
            wins=self.wins + other.wins,
            bourres=self.bourres + other.bourres,
            reneges=self.reneges + other.reneges,
            faults=self.faults + other.faults,
            usage=self.usage + other.usage if self.usage and other.usage else self.usage or other.usage,
        )


@dataclass(frozen=True, slots=True)
class PracticeNote:
    """A bot's note on one of its answers."""

    bot: str
    deal: int
    """The number of the deal, from 1."""
    number: int
    """The number of the answer among the recorded actions of the deal, from 1."""
    text: str


@dataclass(frozen=True, slots=True)
class PracticeMatch:
    """The result of one match."""

    match: str
    seats: tuple[BotResult, ...]
    record: str
    """The match as JSON lines; see `bourre.record`."""
    problems: tuple[str, ...]
    """Problems that would have stopped strict practice, in order."""
    notes: tuple[PracticeNote, ...] = ()
    """The notes of the bots on their answers, in order."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots, by seat."""
        return tuple(row.bot for row in self.seats)

    @property
    def balances(self) -> tuple[int, ...]:
        """The chips at the end, by seat."""
        return tuple(row.chips for row in self.seats)


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """The result of all matches. It prints as a table with the best bot first."""

    bots: tuple[BotResult, ...]
    """The totals of the bots, in the order of the caller."""
    matches: tuple[PracticeMatch, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems that would have stopped strict practice, in order."""
        return tuple(problem for match in self.matches for problem in match.problems)

    @property
    def notes(self) -> tuple[PracticeNote, ...]:
        """The notes of the bots on their answers, in order."""
        return tuple(note for match in self.matches for note in match.notes)

    def __str__(self) -> str:
        width = max(len("bot"), *(len(row.bot) for row in self.bots))
        lines = [f"{'bot':{width}}   deals    chips  per 100    wins  bourrés  reneges  faults"]
        for row in sorted(self.bots, key=lambda row: row.chips, reverse=True):
            lines.append(
                f"{row.bot:{width}} {row.deals:7} {row.chips:+8} {row.per_100:+8.1f} {row.wins:7} {row.bourres:8} "
                f"{row.reneges:8} {row.faults:7}"
            )
        return "\n".join([*lines, *(f"{row.bot} used {row.usage}" for row in self.bots if row.usage)])

    def _repr_html_(self) -> str:
        """Writes the same table for a notebook."""
        from bourre.rules.markup import table_html

        head = ("bot", "deals", "chips", "per 100", "wins", "bourrés", "reneges", "faults")
        best_first = sorted(self.bots, key=lambda row: row.chips, reverse=True)
        return table_html(f"practice, matches: {len(self.matches)}", head, map(_cells, best_first))


def _cells(row: BotResult) -> tuple[object, ...]:
    counts = (row.wins, row.bourres, row.reneges, row.faults)
    return row.bot, row.deals, f"{row.chips:+}", f"{row.per_100:+.1f}", *counts


def add_up(names: Sequence[str], matches: Sequence[PracticeMatch]) -> PracticeResult:
    """Adds up these matches of the same bots."""
    totals: dict[str, BotResult] = {}
    for match in matches:
        for row in match.seats:
            totals[row.bot] = totals[row.bot] + row if row.bot in totals else row
    return PracticeResult(tuple(totals[name] for name in names), tuple(matches))
