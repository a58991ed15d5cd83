"""The unit of work of an executor: the specification of a room, and its outcome.

A `RoomSpec` has no paths of any machine. A `Site` (model/site.py) makes a `PlacedRoom` of it for one machine.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from bourre.record import DealRecord, Header
from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.luck import PlayedBoard
from bourre_referee.model.network import Network
from bourre_referee.model.packed_text import PackedText
from bourre_referee.model.results import MatchResult, PickledByFields
from bourre_referee.model.seat_remarks import SeatRemarks


@dataclass(frozen=True, slots=True)
class Clock:
    """Time limits in milliseconds on the referee's clock, which stops while the host is starved."""

    start_ms: int = 10_000
    """The time from a bot's launch to its hello."""
    decision_ms: int = 1_000
    """The time for each decision before the reserve time is used."""
    bank_ms: int = 5_000
    """The reserve time for a whole match, in addition to the times of decisions."""
    connect_ms: int = 600_000
    """The time from the invitation of a remote bot to its hello."""
    match_ms: int = 600_000
    """The time for all decisions of a match, with the reserve time. After that, the stand-in plays the match."""
    reconnect_ms: int = 5_000
    """The time for a bot to come back after its connection broke. With 0, it cannot come back."""


class Level(StrEnum):
    """The levels of isolation, weakest first."""

    NONE = "none"
    """A plain process of the same user, for trusted bots."""
    BWRAP = "bwrap"
    """A sandbox of namespaces, made by bubblewrap."""
    CONTAINER = "container"
    """A container of podman or docker."""

    def __repr__(self) -> str:
        return f"Level.{self.name}"


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources of an isolated bot."""

    memory_mib: int = 512
    processes: int = 64
    """Threads count as processes. gRPC alone needs about ten."""
    disk_mib: int = 64
    """The size of /tmp, which is memory, and of any single file."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """The isolation of bots: exactly this level, never a weaker one."""

    level: Level = Level.NONE
    limits: Limits = Limits()
    image: str | None = None
    """The image of bots in containers."""


@dataclass(frozen=True, slots=True)
class OwnIsolation:
    """The isolation of one bot. Its fields replace those of its room."""

    level: Level | None = None
    memory_mib: int | None = None
    processes: int | None = None
    disk_mib: int | None = None
    image: str | None = None

    def over(self, room: Isolation) -> Isolation:
        """Returns the isolation of this bot in a room."""
        limits = Limits(
            self.memory_mib or room.limits.memory_mib,
            self.processes or room.limits.processes,
            self.disk_mib or room.limits.disk_mib,
        )
        level = self.level or room.level
        return Isolation(level, limits, (self.image or room.image) if level is Level.CONTAINER else None)


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot, independent of any machine."""

    name: str
    command: tuple[str, ...] | None
    """Its command, as written, where `python` means the site's; None for a remote bot."""
    folder: str = ""
    """Its folder within the contest's or ladder's; empty if all bots share one."""
    files: tuple[str, ...] = ()
    """Its files and folders, relative to its folder."""
    venv: str | None = None
    """The virtual environment of its Python, as written; None means the site's Python."""
    isolation: OwnIsolation = OwnIsolation()
    network: Network | None = None
    environment: tuple[str, ...] = ()
    """The names of the referee's variables that this bot gets."""
    is_model: bool = False
    """Whether a language model of the contest file decides for it. Then it may leave without a fault."""
    voids_trouble: bool = False
    """Whether a room in which its model's server failed is played again. False for any bot without a model."""
    sha256: str = ""
    """The name of its bundle of files, by which another machine fetches them."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot on this machine."""

    name: str
    command: tuple[str, ...] | None
    """Its command; None for a remote bot."""
    folder: Path
    """The folder for the relative paths of its files: the contest's, or the bot's own."""
    files: tuple[str, ...] = ()
    """The bot's files and folders, relative to `folder`. In a sandbox it can read nothing else."""
    venv: Path | None = None
    """The virtual environment of its Python; None means the referee's."""
    isolation: OwnIsolation = OwnIsolation()
    network: Network | None = None
    """The destinations that it may reach in a sandbox; None means only its referee."""
    environment: tuple[str, ...] = ()
    """The names of the referee's variables that this bot gets. Their values are secret."""
    is_model: bool = False
    """Whether a language model of the contest file decides for it."""
    own_folder: str = ""
    """The working directory of its command, relative to `folder`."""


@dataclass(frozen=True, slots=True)
class DuplicateBoard:
    """One deal of a duplicate match in one seating, which one table plays."""

    deal: int
    """The deal's number, starting at 1."""
    seating: int
    """The seating's number, starting at 1."""
    line_up: tuple[int, ...]
    """For each seat, the number of its bot in the match's list."""
    stakes: tuple[int, ...]
    """The stakes from which a deal's stake is drawn (`bourre.rules.deck.DuplicateChance`)."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match, or one board of a duplicate match. Equal specs and answers give equal records."""

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
        """The header of its record. A board's header lists the bots by its seats."""
        if self.board is None:
            return Header(self.match, self.line_up, self.deals, self.seed, self.house)
        return Header(self.match, self.line_up, self.deals, self.seed, self.house, "duplicate", self.board.stakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTerms:
    """The terms of a room: it starts its bots once, and they play matches, `tables` at a time."""

    room: str
    matches: tuple[MatchSpec, ...]
    tables: int
    clock: Clock
    max_faults: int
    isolation: Isolation = Isolation()
    """The isolation of bots without their own."""
    restarts: bool = False
    """Whether the room ends early after a bot failed, so that new processes play the rest."""
    absent: tuple[str, ...] = ()
    """Bots that are not started, because they failed to start before. The stand-in plays for them at once."""
    capped: tuple[str, ...] = ()
    """Bots that are not started, because a cap allows their models no more calls. That is no fault."""

    @property
    def left_out(self) -> frozenset[str]:
        """The bots that are not started."""
        return frozenset((*self.absent, *self.capped))

    def isolation_of(self, bot: BotSpec | BotEntry) -> Isolation:
        """Returns the isolation of this bot."""
        return bot.isolation.over(self.isolation)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSpec(RoomTerms):
    """A room that any machine can play, because it has no paths of a machine."""

    entries: tuple[BotSpec, ...]

    def rest(self, left: tuple[MatchSpec, ...]) -> RoomSpec:
        """Returns a room for the rest of this one. After a restart its bots have new logs."""
        return replace(self, room=left[0].match if self.restarts else self.room, matches=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRoom(RoomTerms):
    """A room on this machine, which has its bots' files and logs."""

    entries: tuple[BotEntry, ...]
    logs: Path
    """The folder of the bots' logs: `<logs>/<bot>/<room>.log`."""
    python: str = sys.executable
    """The interpreter that `python` means in a command."""
    copies: Path | None = None
    """The folder of private copies of the bots' files for all rooms of a run; None means one for this room."""
    public: Path | None = None
    """The folder for the public events of rooms in play; None if nobody may watch."""


class SeatFault(NamedTuple):
    """The number of a seat's faults of one kind in one match."""

    seat: int
    fault: Fault
    times: int


class SeatTiming(NamedTuple):
    """A bot's use of time in one match, in milliseconds. It is not part of any result."""

    decisions: int
    total_ms: float
    """The charged time, on the referee's clock, from sending an ask to receiving its answer."""
    longest_ms: float
    queue_ms: float = 0.0
    """The time from when an ask was ready until it was sent, which is never charged."""
    bot_ms: float = 0.0
    """The thinking time that the bot reports. The rest of the total is the wire and the host's scheduler."""
    cpu_ms: float = 0.0
    """The processor time of the bot's processes during the match."""


@dataclass(frozen=True, slots=True)
class MatchOutcome(PickledByFields):
    """The outcome of a finished match or board."""

    result: MatchResult
    faults: tuple[SeatFault, ...]
    packed: PackedText | None
    """The record in JSON lines (see `bourre.record`); None for a board, because the match has the record."""
    timings: tuple[SeatTiming, ...]
    """The timings by seat."""
    isolation: Level = Level.NONE
    """The level of its room, which is that of its bots without their own level."""
    deal: DealRecord | None = None
    """The record of the deal; only for a board."""
    played: PlayedBoard | None = None
    """The input for its luck; only for a board."""
    remarks: tuple[SeatRemarks, ...] = ()
    """The bots' notes and usage, by seat; empty if there are none. They are not part of any result."""
    notices: tuple[str, ...] = ()
    """Other problems, such as a log that cannot be written. They are not part of any result."""

    @property
    def record(self) -> str:
        """Unpacks the record in JSON lines; empty for a board."""
        return self.packed.text if self.packed else ""


class RoomFailed(Exception):
    """The host, not a bot, failed a room. Its matches are not scored, but played again."""


class BotsAway(RoomFailed):
    """Remote bots of a ladder's room were away at its start, which is not the host's fault."""

    def __init__(self, bots: tuple[str, ...]) -> None:
        super().__init__(f"{', '.join(bots)} left before it began")
        self.bots = bots
