"""The data of a match's page, deal by deal from its record, and of the lists of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bourre.rules.cards import Suit
from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.table_rows import DealRow
from bourre_referee.model.errors import ContestError
from bourre_referee.web.data.charts import clamp
from bourre_referee.web.data.growing_run import MatchSummary
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.page_links import MatchChoice, Only

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of a list of matches."""

    choice: MatchChoice
    lines: tuple[MatchSummary, ...]
    pages: int
    """The number of pages, at least 1."""
    found: int
    """The number of matches on all pages together."""

    @property
    def first(self) -> int:
        """The position of its first line in the whole list, from 1."""
        return (self.choice.page - 1) * PER_PAGE + 1

    @property
    def reach(self) -> float:
        """The most chips, won or lost, on this page. At least 1."""
        return max((abs(clamp(line.chips(seat))) for line in self.lines for seat in line.seats), default=0.0) or 1.0


def select_matches(run: RunData, choice: MatchChoice) -> MatchList | None:
    """Returns the requested page. None if there is no such page or bot."""
    if choice.bot is not None and not 1 <= choice.bot <= len(run.bots):
        return None
    bot = None if choice.bot is None else run.bots[choice.bot - 1]
    found = [line for line in run.matches if _fits(line, bot, choice.only)]
    pages = max(1, -(-len(found) // PER_PAGE))
    if not 1 <= choice.page <= pages:
        return None
    lines = found[(choice.page - 1) * PER_PAGE : choice.page * PER_PAGE]
    return MatchList(choice, tuple(lines), pages, len(found))


def _fits(line: MatchSummary, bot: str | None, only: Only | None) -> bool:
    if bot is not None and all(seat.bot != bot for seat in line.seats):
        return False
    match only:
        case Only.RENEGES:
            return line.reneges > 0
        case Only.FAULTS:
            return line.faults > 0
        case Only.VOIDS:
            return bool(line.voids)
        case None:
            return True


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal, in `duplicate` one seating of it. Tuples are in the order of the match's bots."""

    deal: int
    seating: int | None
    dealer: str
    trump: Suit | None
    """The trump suit. None if none was named."""
    pot: int
    """The chips in the pot."""
    carried: int
    """Chips that stayed in the pot."""
    winners: tuple[str, ...]
    """The bots that took the pot: none if it stayed, several if it was split."""
    chips: tuple[float, ...]
    plays: tuple[bool, ...]
    bourred: tuple[bool, ...]
    reneges: tuple[int, ...]
    faults: tuple[int, ...]
    by_house: tuple[bool, ...]

    @property
    def id(self) -> str:
        """Its number, in `duplicate` with its seating: `12-2`."""
        return f"{self.deal}" if self.seating is None else f"{self.deal}-{self.seating}"


@dataclass(frozen=True, slots=True)
class MatchData:
    """Everything about one match except the cards."""

    line: MatchSummary
    deals: tuple[DealLine, ...]
    before: str | None
    """The previous finished match in the schedule."""
    after: str | None

    def around(self, deal: int, seating: int | None) -> tuple[DealLine | None, DealLine | None]:
        """Returns the deals before and after this one. Raises ValueError if the match has no such deal."""
        at = [(line.deal, line.seating) for line in self.deals].index((deal, seating))
        return self.deals[at - 1] if at else None, self.deals[at + 1] if at + 1 < len(self.deals) else None


def match_data(run: RunData, match: str, record: str) -> MatchData | None:
    """Returns the data of this match. None if it is not finished. Raises ContestError if it is damaged."""
    ids = [line.match for line in run.matches]
    if match not in ids:
        return None
    at = ids.index(match)
    bots = [seat.bot for seat in run.matches[at].seats]
    rows = (row for row in record_rows(record, match) if isinstance(row, DealRow))
    deals = groupby(rows, key=lambda row: (row.deal, row.seating))
    return MatchData(
        line=run.matches[at],
        deals=tuple(_deal_line({row.bot: row for row in of_deal}, bots) for _, of_deal in deals),
        before=ids[at - 1] if at else None,
        after=ids[at + 1] if at + 1 < len(ids) else None,
    )


def _deal_line(by_bot: dict[str, DealRow], bots: Sequence[str]) -> DealLine:
    if by_bot.keys() != set(bots):
        match = next(iter(by_bot.values())).match
        raise ContestError(f"match {match}: its seats differ from its record.\nhint: run bourre verify for details")
    rows = [by_bot[bot] for bot in bots]
    one = rows[0]
    return DealLine(
        deal=one.deal,
        seating=one.seating,
        dealer=next(row.bot for row in rows if row.dealer),
        trump=Suit[one.trump] if one.trump else None,
        pot=one.pot,
        carried=one.pot_after,
        winners=tuple(row.bot for row in rows if row.won),
        chips=tuple(row.chips for row in rows),
        plays=tuple(row.plays and not row.left for row in rows),
        bourred=tuple(row.bourred for row in rows),
        reneges=tuple(row.reneges for row in rows),
        faults=tuple(row.faults for row in rows),
        by_house=tuple(row.by_house for row in rows),
    )
