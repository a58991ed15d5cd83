"""The unit of work: what is asked of a room, and what it gives back. Nothing else crosses an executor."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bourre.record import DealRecord, Header
from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.model.luck import Drawing
from bourre_referee.model.results import MatchResult


@dataclass(frozen=True, slots=True)
class Clock:
    """Time limits in milliseconds, on the referee's own clock, which stands still while the host is starved."""

    start_ms: int = 10_000
    """From the launch of a bot to its hello."""
    decision_ms: int = 1_000
    """For each decision, before the bank is touched."""
    bank_ms: int = 5_000
    """For a whole match, on top of the decisions' own time."""
    connect_ms: int = 600_000
    """From the invitation of a bot that its author starts to its hello."""
    match_ms: int = 600_000
    """For all decisions of a match together, bank included: once used up, the house plays the match to its end."""
    reconnect_ms: int = 5_000
    """For a bot whose line broke to come back; 0: never."""


class Level(StrEnum):
    """What stands between a bot and the rest of the machine, weakest first."""

    NONE = "none"
    """A plain process of the same user: for bots that are trusted."""
    BWRAP = "bwrap"
    """A box of namespaces, made by bubblewrap."""
    CONTAINER = "container"
    """A container."""

    def __repr__(self) -> str:
        return f"Level.{self.name}"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot in a box may use."""

    memory_mib: int = 512
    processes: int = 64
    """Threads count as processes; gRPC alone takes about ten."""
    disk_mib: int = 64
    """Of /tmp, which is memory, and of any one file."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How the bots of a room are kept apart: always at this level, never at a weaker one."""

    level: Level = Level.NONE
    limits: Limits = Limits()
    image: str | None = None
    """Of a container: the image that its bots run in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot as it was entered for the contest."""

    name: str
    command: tuple[str, ...] | None
    """How to start it; None: its author starts it, and it connects."""
    folder: Path
    """Where its command is run."""
    files: tuple[str, ...] = ()
    """All that it can read of that folder when it runs in a box: files or folders, by their paths from there."""
    venv: Path | None = None
    """An environment of its own that its Python runs in; None: that of the referee."""


@dataclass(frozen=True, slots=True)
class Board:
    """One deal of a duplicate match, in one of its seatings: what a table of that format plays."""

    deal: int
    """From 1."""
    seating: int
    """From 1."""
    line_up: tuple[int, ...]
    """By seat, the number of the bot in the match's list."""
    stakes: tuple[int, ...]
    """What every seat may have to pay before a deal (`bourre.rules.deck.DuplicateChance`)."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match, or one board of a duplicate match: same spec and same answers, same record."""

    match: str
    line_up: tuple[str, ...]
    """The bots' names by seat."""
    house: HouseRules
    deals: int
    """Of the whole match, also in the spec of a board."""
    seed: bytes
    board: Board | None = None
    """None in format `session`."""

    @property
    def header(self) -> Header:
        """That of its record; in that of a board the bots are those of its seats."""
        if self.board is None:
            return Header(self.match, self.line_up, self.deals, self.seed, self.house)
        return Header(self.match, self.line_up, self.deals, self.seed, self.house, "duplicate", self.board.stakes)


@dataclass(frozen=True, slots=True)
class RoomSpec:
    """One room: the bots of a line-up, started once, and the matches that they play, at `tables` tables at a time."""

    room: str
    entries: tuple[Entry, ...]
    matches: tuple[MatchSpec, ...]
    tables: int
    clock: Clock
    max_faults: int
    logs: Path
    """The folder of the bots' logs: `<logs>/<bot>/<room>.log`."""
    isolation: Isolation = Isolation()
    python: str = sys.executable
    """The Python that `python` in a command means, where the contest was planned."""


@dataclass(frozen=True, slots=True)
class SeatFault:
    """How often a seat was at fault in one way, in one match."""

    seat: int
    fault: Fault
    times: int


@dataclass(frozen=True, slots=True)
class SeatTiming:
    """How a bot used its time in one match, in milliseconds; no part of any result."""

    decisions: int
    total_ms: float
    """As charged: on the referee's clock, from the sending of an ask to the coming of its answer."""
    longest_ms: float
    queue_ms: float = 0.0
    """Before that: from the moment an ask was ready to its sending. Never charged."""
    bot_ms: float = 0.0
    """Of the total: what the bot says that it thought. The rest is the wire and the scheduler of the host."""
    cpu_ms: float = 0.0
    """Processor time of the bot's processes while the match was played."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """All that a finished match leaves behind."""

    result: MatchResult
    faults: tuple[SeatFault, ...]
    record: str
    """JSON lines; see `bourre.record`."""
    timings: tuple[SeatTiming, ...]
    """By seat."""
    isolation: Level = Level.NONE
    """Under which its bots ran."""
    deal: DealRecord | None = None
    """Of a board: what happened; its `record` is empty, for the match has one for all."""
    drawing: Drawing | None = None
    """Of a board: what chance did in the draw, as far as it can be told."""
    luck: tuple[int, ...] = ()
    """Of a board: how lucky that was for each seat; worked out when its bots are gone."""
    notices: tuple[str, ...] = ()
    """What went wrong beside it, such as a log that cannot be written; no part of any result."""


class RoomFailed(Exception):
    """The host, not a bot, kept a room from its matches: they are void and played again, never scored."""
