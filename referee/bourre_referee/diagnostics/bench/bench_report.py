"""Results of the bench: medians, and ratios taken pair by pair; rates are per second."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version

from bourre_referee.storage.process_pool import usable_cores


@dataclass(frozen=True, slots=True)
class Machine:
    """The host, its software, and its load when the measurement began."""

    system: str
    processor: str
    cores: int
    python: str
    grpcio: str
    bourre: str
    load: float | None
    """The load average over the last minute; None if the system does not report it."""


def this_machine() -> Machine:
    """Describe this machine as it is now."""
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        processor=platform.machine(),
        cores=usable_cores(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        grpcio=version("grpcio"),
        bourre=version("bourre"),
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    )


@dataclass(frozen=True, slots=True)
class RoomFigures:
    """A room of trivial bots with this many tables, and its echo."""

    tables: int
    deals: int
    """Deals at each table."""
    asks_per_s: float
    decisions_per_s: float
    """Rate of asks, and of forced plays that the referee makes for the bots."""
    echo_per_s: float
    """Rate of exchanges of a bare gRPC echo: same processes, routing and sizes; no rules, no protobuf, no clock."""
    asks_to_echo: float
    ratio_to_echo: float
    """Decisions divided by exchanges."""


@dataclass(frozen=True, slots=True)
class Wire:
    """Speed over the wire, in the room with 64 tables unless a name says otherwise."""

    ratio_to_echo: float
    asks_to_echo: float
    ratio_to_single: float
    """Decisions divided by those of the same room with one ask per message."""
    decisions_per_s: float
    single_decisions_per_s: float
    one_table_ratio_to_echo: float
    one_table_asks_to_echo: float
    ask_bytes: int
    answer_bytes: int
    start_seconds: float
    """Time from the launch of a room's bots until all have said hello."""
    tables: tuple[RoomFigures, ...]


@dataclass(frozen=True, slots=True)
class Practice:
    """Trivial bots in one process."""

    decisions_per_s: float


@dataclass(frozen=True, slots=True)
class Engine:
    """The rules alone, under random play."""

    decisions_per_s: float
    compiled: bool
    openspiel_decisions_per_s: float | None
    """Rate of OpenSpiel's euchre, driven from Python; None if it is not installed."""
    ratio_to_openspiel: float | None


@dataclass(frozen=True, slots=True)
class Contest:
    """Contests of trivial bots as processes: one, and one with ten times as many deals."""

    decisions_per_s: float
    """Rate of the longer one, from its start to stored standings."""
    ratio_to_wire: float
    """Decisions divided by those of the room with 64 tables."""
    bytes_per_deal: float
    """Bytes of records in the database; results and timings of each match are extra."""
    rss_growth_mib: float
    """How much more peak memory the longer one needs: the main process and its largest worker."""
    peak_mib: float
    """Peak memory of the longer one."""
    time_growth: float
    """How many times as long the longer one took."""
    deals: int
    """Deals of the longer one."""


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of the bench."""

    machine: Machine
    pairs: int
    quick: bool
    """Whether too little was played for figures worth keeping."""
    wire: Wire
    practice: Practice
    engine: Engine
    contest: Contest
