"""Addresses: the one place that knows where each page is. Names of bots are hostile, and in none of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlencode


class Only(StrEnum):
    """Which matches a list is about."""

    RENEGES = "reneges"
    FAULTS = "faults"
    VOIDS = "voids"


@dataclass(frozen=True, slots=True)
class Choice:
    """A page of a list of matches."""

    bot: int | None = None
    """Those in which this bot sat, by its number from 1."""
    only: Only | None = None
    page: int = 1


ALL = Choice()
"""The first page of all matches."""


class Links(Protocol):
    """Where each page is, as seen from the page that links there."""

    @property
    def live(self) -> bool:
        """Whether a server answers: it chooses matches by any filters together, and tells when there are new ones."""

    def home(self) -> str:
        """The standings."""

    def cross(self) -> str:
        """The cross-table."""

    def matches(self, choice: Choice = ALL) -> str:
        """A list of matches."""

    def match(self, match: str) -> str:
        """A match by its id."""

    def bot(self, number: int) -> str:
        """A bot by its number, from 1."""

    def deal(self, match: str, deal: int, seating: int | None) -> str:
        """A deal; in `duplicate` one playing of it."""

    def replay(self, match: str) -> str:
        """A whole match in one file, to be kept."""

    def static(self, name: str) -> str:
        """A file that goes with the pages."""


@dataclass(frozen=True, slots=True)
class ServerLinks:
    """Addresses of `bourre serve`."""

    live: bool = True

    def home(self) -> str:
        """The standings."""
        return "/"

    def cross(self) -> str:
        """The cross-table."""
        return "/cross"

    def matches(self, choice: Choice = ALL) -> str:
        """A list of matches; the filters are its query."""
        asked = {"bot": choice.bot, "with": choice.only, "page": choice.page if choice.page > 1 else None}
        query = urlencode({key: value for key, value in asked.items() if value is not None})
        return f"/matches?{query}" if query else "/matches"

    def match(self, match: str) -> str:
        """A match by its id."""
        return f"/matches/{match}"

    def bot(self, number: int) -> str:
        """A bot by its number, from 1."""
        return f"/bots/{number}"

    def deal(self, match: str, deal: int, seating: int | None) -> str:
        """A deal; in `duplicate` one playing of it."""
        return f"/matches/{match}/deals/{_playing(deal, seating)}"

    def replay(self, match: str) -> str:
        """A whole match in one file, to be kept."""
        return f"/matches/{match}/replay.html"

    def static(self, name: str) -> str:
        """A file that goes with the pages."""
        return f"/static/{name}"


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """Addresses in a folder of files, relative: they hold on any host, and from a disk."""

    depth: int = 0
    """How many folders below the top the page is that links."""
    live: bool = False

    def home(self) -> str:
        """The standings."""
        return self._of("index")

    def cross(self) -> str:
        """The cross-table."""
        return self._of("cross")

    def matches(self, choice: Choice = ALL) -> str:
        """A list of matches: there is a file for each bot and each kind, not for both together."""
        bot = "" if choice.bot is None else f"bot{choice.bot}"
        page = str(choice.page) if choice.page > 1 else ""
        return self._of(_joined(["matches", bot, choice.only or "", page]))

    def match(self, match: str) -> str:
        """A match by its id."""
        return self._of(f"matches/{match}")

    def bot(self, number: int) -> str:
        """A bot by its number, from 1."""
        return self._of(f"bots/{number}")

    def deal(self, match: str, deal: int, seating: int | None) -> str:
        """A deal, in the file of its match."""
        return f"{self.replay(match)}#deal-{_playing(deal, seating)}"

    def replay(self, match: str) -> str:
        """A whole match in one file, to be kept."""
        return self._of(f"replays/{match}")

    def static(self, name: str) -> str:
        """A file that goes with the pages."""
        return f"{'../' * self.depth}static/{name}"

    def _of(self, page: str) -> str:
        return f"{'../' * self.depth}{page}.html"


def _playing(deal: int, seating: int | None) -> str:
    return _joined([str(deal), "" if seating is None else str(seating)])


def _joined(parts: Iterable[str]) -> str:
    return "-".join(part for part in parts if part)
