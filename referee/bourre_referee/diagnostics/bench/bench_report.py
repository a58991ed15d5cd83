"""What the bench found: medians, and ratios taken pair by pair; rates are for a second."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version

from bourre_referee.runner.local_executor import usable_cores


@dataclass(frozen=True, slots=True)
class Machine:
    """The host and its programs, and how busy it was as the measurement began."""

    system: str
    processor: str
    cores: int
    python: str
    grpcio: str
    bourre: str
    load: float | None
    """Programs that ran or waited to, over the last minute; None where the system does not say it."""


def this_machine() -> Machine:
    """This one, now."""
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
class AtTables:
    """A room of trivial bots at so many tables, and the echo beside it."""

    tables: int
    deals: int
    """At each table."""
    asks_per_s: float
    decisions_per_s: float
    """Asks, and forced plays, which the referee makes for the bots."""
    echo_per_s: float
    """Exchanges of a bare gRPC echo: same processes, routing and sizes; no rules, no protobuf, no clock."""
    asks_to_echo: float
    ratio_to_echo: float
    """Decisions against exchanges."""


@dataclass(frozen=True, slots=True)
class Wire:
    """What the referee makes of the wire: of the room at 64 tables, unless a name says otherwise."""

    ratio_to_echo: float
    asks_to_echo: float
    ratio_to_single: float
    """Decisions against those of the same room with each ask in a message of its own."""
    decisions_per_s: float
    single_decisions_per_s: float
    one_table_ratio_to_echo: float
    one_table_asks_to_echo: float
    ask_bytes: int
    answer_bytes: int
    start_seconds: float
    """From the launch of the bots of a room until all have said hello."""
    tables: tuple[AtTables, ...]


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
    """Of OpenSpiel's euchre, driven from Python; None where it is not installed."""
    ratio_to_openspiel: float | None


@dataclass(frozen=True, slots=True)
class Contest:
    """Contests of trivial bots by real processes: one, and one of ten times as many deals."""

    decisions_per_s: float
    """Of the longer one, from its start to stored standings."""
    ratio_to_wire: float
    """Against the decisions of the room at 64 tables."""
    bytes_per_deal: float
    """What the records take in the database; results and timings, by match, come on top."""
    rss_growth_mib: float
    """How much more memory the longer one held at its peak: what keeps the results, and its largest worker."""
    peak_mib: float
    """Of the longer one."""
    time_growth: float
    """How many times as long the longer one took."""
    deals: int
    """Of the longer one."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything."""

    machine: Machine
    pairs: int
    quick: bool
    """Whether little was played: for a first look, not for figures to keep."""
    wire: Wire
    practice: Practice
    engine: Engine
    contest: Contest
