"""The unit of work: what is asked of a room, and what it gives back. Nothing else crosses an executor."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.results import MatchResult


@dataclass(frozen=True, slots=True)
class Clock:
    """Time limits in milliseconds, on the referee's own clock."""

    start_ms: int = 10_000
    """From the launch of a bot to its hello."""
    decision_ms: int = 1_000
    """For each decision, before the bank is touched."""
    bank_ms: int = 5_000
    """For a whole match, on top of the decisions' own time."""
    connect_ms: int = 600_000
    """From the invitation of a bot that its author starts to its hello."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot as it was entered for the contest."""

    name: str
    command: tuple[str, ...] | None
    """How to start it; None: its author starts it, and it connects."""
    folder: Path
    """Where its command is run."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match: same spec and same answers, same record."""

    match: str
    line_up: tuple[str, ...]
    """The bots' names by seat."""
    house: HouseRules
    deals: int
    seed: bytes


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
    longest_ms: float


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """All that a finished match leaves behind."""

    result: MatchResult
    faults: tuple[SeatFault, ...]
    record: str
    """JSON lines; see `bourre.record`."""
    timings: tuple[SeatTiming, ...]
    """By seat."""


class RoomFailed(Exception):
    """The host, not a bot, kept a room from its matches: they are void and played again, never scored."""
