"""Lists of matches: which ones, and a page of them."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.web.data.run_page import MatchLine, RunData
from bourre_referee.web.page_links import Choice, Only

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of the matches that were asked for."""

    choice: Choice
    lines: tuple[MatchLine, ...]
    pages: int
    """1 or more."""
    found: int
    """Matches on all pages together."""

    @property
    def first(self) -> int:
        """Which of them all its first line is, from 1."""
        return (self.choice.page - 1) * PER_PAGE + 1


def chosen(run: RunData, choice: Choice) -> MatchList | None:
    """The page that was asked for; None when there is no such page, or no such bot."""
    if choice.bot is not None and not 1 <= choice.bot <= len(run.bots):
        return None
    bot = None if choice.bot is None else run.bots[choice.bot - 1]
    found = [line for line in run.matches if _is_meant(line, bot, choice.only)]
    pages = max(1, -(-len(found) // PER_PAGE))
    if not 1 <= choice.page <= pages:
        return None
    lines = found[(choice.page - 1) * PER_PAGE : choice.page * PER_PAGE]
    return MatchList(choice, tuple(lines), pages, len(found))


def _is_meant(line: MatchLine, bot: str | None, only: Only | None) -> bool:
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
