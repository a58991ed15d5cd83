"""The acts in a ladder's log, newest first, by pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.ladder.log.event_log import Logged, log_line

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page of the log."""

    page: int
    pages: int
    lines: tuple[tuple[str, str], ...]
    """The time and the words of each act."""
    events: int
    """How many events the whole log has."""
    head: str
    """The hash of its last line."""


def log_page(acts: Sequence[Logged], page: int, events: int, head: str) -> LogPage | None:
    """Returns a page of the log, counted from 1; None if there is no such page."""
    pages = max(1, -(-len(acts) // PER_PAGE))
    if not 1 <= page <= pages:
        return None
    end = len(acts) - (page - 1) * PER_PAGE
    shown = reversed(acts[max(0, end - PER_PAGE) : end])
    return LogPage(page, pages, tuple((logged.at, in_words(logged)) for logged in shown), events, head)


def in_words(logged: Logged) -> str:
    """Returns what happened, without its time."""
    return log_line(logged).partition(" ")[2]
