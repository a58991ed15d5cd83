"""The results of the bench, as text and as JSON: medians, ratios taken pair by pair, and rates per second."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version

from bourre_referee.storage.files.process_pool import usable_cores


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
    """Describes this machine as it is now."""
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


ENOUGH = 8
"""How many pairs make a median worth keeping."""


def document(report: Report) -> str:
    """Writes the report as one JSON document."""
    return json.dumps(asdict(report), indent=2)


def lines(report: Report) -> Iterator[str]:
    """Yields a table for the wire, then a line for each other figure."""
    machine = report.machine
    load = "" if machine.load is None else f", load {machine.load}"
    host = f"{machine.cores} cores, {machine.system} {machine.processor}{load}"
    yield f"{host}, {machine.python}, grpcio {machine.grpcio}"
    yield f"medians of {report.pairs} pair{'s' if report.pairs != 1 else ''}{_caveat(report)}"
    yield from _wire(report.wire)
    yield ""
    yield f"{'practice':10} {_rate(report.practice.decisions_per_s)} decisions/s"
    yield from _engine(report.engine)
    yield from _contest(report.contest)


def _caveat(report: Report) -> str:
    if report.quick:
        return ", little played: for a first look"
    return "" if report.pairs >= ENOUGH else f": {ENOUGH} or more make figures to keep"


def _wire(wire: Wire) -> Iterator[str]:
    yield ""
    yield "five trivial bots, one Unix socket; ratios to a bare gRPC echo of the same routing"
    yield f"{'tables':>8} {'asks/s':>9} {'decisions/s':>12} {'echo/s':>9} {'asks':>7} {'decisions':>10}"
    for at in wire.tables:
        yield (
            f"{at.tables:8} {_rate(at.asks_per_s):>9} {_rate(at.decisions_per_s):>12} {_rate(at.echo_per_s):>9} "
            f"{at.asks_to_echo:7.2f} {at.ratio_to_echo:10.2f}"
        )
    yield (
        f"asks of 64 tables together, against each by itself: {wire.ratio_to_single:.2f} "
        f"({_rate(wire.single_decisions_per_s)} decisions/s)"
    )


def _engine(engine: Engine) -> Iterator[str]:
    beside = "OpenSpiel is not installed"
    if engine.ratio_to_openspiel is not None and engine.openspiel_decisions_per_s is not None:
        rate = _rate(engine.openspiel_decisions_per_s)
        beside = f"{engine.ratio_to_openspiel:.2f} of OpenSpiel's euchre, {rate}"
    kind = "compiled" if engine.compiled else "plain Python"
    yield f"{'rules':10} {_rate(engine.decisions_per_s)} decisions/s, {kind}; {beside}"


def _contest(contest: Contest) -> Iterator[str]:
    yield (
        f"{'contest':10} {_rate(contest.decisions_per_s)} decisions/s to stored standings, {contest.ratio_to_wire:.2f} "
        "of the room at 64 tables"
    )
    yield (
        f"{'':10} {contest.bytes_per_deal:.0f} bytes of record a deal; ten times the deals ({contest.deals:,}) took "
        f"{contest.time_growth:.1f} times as long"
    )
    yield f"{'':10} and {contest.rss_growth_mib:+.1f} MiB of memory, {contest.peak_mib:.0f} at the peak"


def _rate(rate: float) -> str:
    return f"{rate:,.0f}"
