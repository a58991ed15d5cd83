"""The unit of work: what a room is asked to play and what it returns. Nothing else crosses an executor.

A `RoomSpec` names no path of any machine; a `Site` (model/site.py) makes a `PlacedRoom` of it where it is played.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from bourre.record import DealRecord, Header
from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.luck import PlayedBoard
from bourre_referee.model.network import Network
from bourre_referee.model.results import MatchResult
from bourre_referee.model.seat_remarks import SeatRemarks


@dataclass(frozen=True, slots=True)
class Clock:
    """Time limits in milliseconds, on the referee's own clock, which stops while the host is starved."""

    start_ms: int = 10_000
    """The time from a bot's launch to its hello."""
    decision_ms: int = 1_000
    """The time for each decision before the bank is used."""
    bank_ms: int = 5_000
    """The time for a whole match on top of the decisions' own."""
    connect_ms: int = 600_000
    """The time from inviting a bot that its author starts to its hello."""
    match_ms: int = 600_000
    """The time for all decisions of a match, bank included; once used up, the house plays the match to its end."""
    reconnect_ms: int = 5_000
    """The time for a bot to come back after its connection broke; 0 means it cannot."""


class Level(StrEnum):
    """What separates a bot from the rest of the machine, weakest first."""

    NONE = "none"
    """A plain process of the same user, for trusted bots."""
    BWRAP = "bwrap"
    """A box of namespaces, made by bubblewrap."""
    CONTAINER = "container"
    """A container of podman or docker."""

    def __repr__(self) -> str:
        return f"Level.{self.name}"


@dataclass(frozen=True, slots=True)
class Limits:
    """What an isolated bot may use."""

    memory_mib: int = 512
    processes: int = 64
    """Threads count as processes; gRPC alone takes about ten."""
    disk_mib: int = 64
    """The size of /tmp, which is memory, and of any single file."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How bots are isolated: at exactly this level, never at a weaker one."""

    level: Level = Level.NONE
    limits: Limits = Limits()
    image: str | None = None
    """The image that bots in containers run in."""


@dataclass(frozen=True, slots=True)
class OwnIsolation:
    """The isolation of one bot: what is given here replaces that of its room."""

    level: Level | None = None
    memory_mib: int | None = None
    processes: int | None = None
    disk_mib: int | None = None
    image: str | None = None

    def over(self, room: Isolation) -> Isolation:
        """Returns the isolation of this bot in a room with that isolation."""
        limits = Limits(
            self.memory_mib or room.limits.memory_mib,
            self.processes or room.limits.processes,
            self.disk_mib or room.limits.disk_mib,
        )
        level = self.level or room.level
        return Isolation(level, limits, (self.image or room.image) if level is Level.CONTAINER else None)


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as it is entered, in words that mean the same on every machine."""

    name: str
    command: tuple[str, ...] | None
    """How to start it, as written: `python` means the site's; None if its author starts it and it connects."""
    folder: str = ""
    """The folder of its own files within those of the contest or ladder; empty if all bots share one."""
    files: tuple[str, ...] = ()
    """Its files and folders, relative to its folder."""
    venv: str | None = None
    """The virtual environment of its Python, as written; None means the site's."""
    isolation: OwnIsolation = OwnIsolation()
    network: Network | None = None
    environment: tuple[str, ...] = ()
    """The variables of the referee's environment that this bot gets, by name."""
    sha256: str = ""
    """What its files are (`model.bundle`), on the way to another machine, which fetches them by this name."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot as this machine starts it."""

    name: str
    command: tuple[str, ...] | None
    """How to start it; None if its author starts it and it connects."""
    folder: Path
    """Where the paths of its files start: the folder of the contest, or that of one bot."""
    files: tuple[str, ...] = ()
    """The files and folders that are the bot, relative to `folder`; all that it can read in a box."""
    venv: Path | None = None
    """The virtual environment of its Python; None means the referee's."""
    isolation: OwnIsolation = OwnIsolation()
    network: Network | None = None
    """What it may reach in a box; None means nothing but its referee."""
    environment: tuple[str, ...] = ()
    """The variables of the referee's environment that this bot gets, by name: their values are secret."""
    own_folder: str = ""
    """The folder of the file that its command runs, relative to `folder`: the command is run there."""


@dataclass(frozen=True, slots=True)
class DuplicateBoard:
    """One deal of a duplicate match in one of its seatings, which is what one table plays."""

    deal: int
    """The deal's number, starting at 1."""
    seating: int
    """The seating's number, starting at 1."""
    line_up: tuple[int, ...]
    """For each seat, the number of its bot in the match's list."""
    stakes: tuple[int, ...]
    """The stakes from which the one of a deal is drawn (`bourre.rules.deck.DuplicateChance`)."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match, or one board of a duplicate match: the same spec and answers give the same record."""

    match: str
    line_up: tuple[str, ...]
    """The bots' names by seat."""
    house: HouseRules
    deals: int
    """The deals of the whole match, even in the spec of a board."""
    seed: bytes
    board: DuplicateBoard | None = None
    """None in format `session`."""

    @property
    def header(self) -> Header:
        """The header of its record; a board's lists the bots by its seats."""
        if self.board is None:
            return Header(self.match, self.line_up, self.deals, self.seed, self.house)
        return Header(self.match, self.line_up, self.deals, self.seed, self.house, "duplicate", self.board.stakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTerms:
    """What is played in a room, wherever that is: bots are started once, and play matches, `tables` at a time."""

    room: str
    matches: tuple[MatchSpec, ...]
    tables: int
    clock: Clock
    max_faults: int
    isolation: Isolation = Isolation()
    """That of the bots which have none of their own."""
    restarts: bool = False
    """Whether the room ends early after a match in which a bot failed, so that the rest is played by new processes."""
    absent: tuple[str, ...] = ()
    """Bots that are not started, because they failed to start before: the house plays for them at once."""

    def isolation_of(self, bot: BotSpec | BotEntry) -> Isolation:
        """Returns how this bot of the room is isolated."""
        return bot.isolation.over(self.isolation)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSpec(RoomTerms):
    """A room that any machine can play, because it names no path of one."""

    entries: tuple[BotSpec, ...]

    def rest(self, left: tuple[MatchSpec, ...]) -> RoomSpec:
        """Returns the room that plays what is left of this one; after a restart its bots begin logs of their own."""
        return replace(self, room=left[0].match if self.restarts else self.room, matches=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRoom(RoomTerms):
    """A room on this machine, which has its bots' files and keeps their logs."""

    entries: tuple[BotEntry, ...]
    logs: Path
    """The folder of the bots' logs: `<logs>/<bot>/<room>.log`."""
    python: str = sys.executable
    """The interpreter that `python` means in a command."""
    copies: Path | None = None
    """The folder of private copies of the bots' files, which all rooms of a run share; None: this room has its own."""


@dataclass(frozen=True, slots=True)
class SeatFault:
    """How often a seat committed one kind of fault in one match."""

    seat: int
    fault: Fault
    times: int


@dataclass(frozen=True, slots=True)
class SeatTiming:
    """How a bot used its time in one match, in milliseconds; not part of any result."""

    decisions: int
    total_ms: float
    """Time charged: on the referee's clock, from sending an ask to receiving its answer."""
    longest_ms: float
    queue_ms: float = 0.0
    """Time from when an ask was ready until it was sent; never charged."""
    bot_ms: float = 0.0
    """The part of the total that the bot reports as thinking time; the rest is the wire and the host's scheduler."""
    cpu_ms: float = 0.0
    """Processor time of the bot's processes while the match was played."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The outcome of a finished match or board."""

    result: MatchResult
    faults: tuple[SeatFault, ...]
    record: str
    """The record in JSON lines (see `bourre.record`); empty for a board, because the match has one for all boards."""
    timings: tuple[SeatTiming, ...]
    """The timings by seat."""
    isolation: Level = Level.NONE
    """The level of its room, at which its bots ran unless the contest file gives one of them another."""
    deal: DealRecord | None = None
    """The record of the deal; only for a board."""
    played: PlayedBoard | None = None
    """What its luck is computed from; only for a board."""
    remarks: tuple[SeatRemarks, ...] = ()
    """What the bots said besides their answers, by seat; empty if none did. Not part of any result."""
    notices: tuple[str, ...] = ()
    """What else went wrong, such as a log that cannot be written; not part of any result."""


class RoomFailed(Exception):
    """The host, not a bot, failed a room: its matches are void and played again, never scored."""


class BotsAway(RoomFailed):
    """Remote bots of a ladder's room were away when it was to begin, which is nobody's fault but theirs."""

    def __init__(self, bots: tuple[str, ...]) -> None:
        super().__init__(f"{', '.join(bots)} left before it began")
        self.bots = bots
