"""Times a room of trivial bots, and an echo of as many exchanges."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import bourre
from bench import echo_server as echo
from bench.echo_routes import Routes
from bench.extent import BOTS, SEATS, matches
from bourre.record import read
from bourre_referee.model.spec import BotEntry, Clock, MatchOutcome, PlacedRoom
from bourre_referee.server.bot_pool import MakeConnection
from bourre_referee.server.connection import Connection
from bourre_referee.server.room import Room

Result = TypeVar("Result")
PATIENT = Clock(start_ms=120_000, decision_ms=30_000, match_ms=3_600_000)
"""Every limit is watched, but no bot is late, however busy the machine is."""


_PROGRAM = "import sys; sys.path.insert(0, {!r}); from bourre import Bot, run; run(Bot)"
"""The cheapest possible bot: it stands pat and plays its lowest legal card."""


@dataclass(frozen=True, slots=True)
class RoomTiming:
    """The asks answered and decisions made in one run, and its time."""

    asks: int
    decisions: int
    """Asks, and forced plays that the referee makes without asking."""
    seconds: float
    start_seconds: float = 0.0
    """Time from the launch of the bots until all have said hello."""
    thread_seconds: float = 0.0
    """Processor time of the referee's own thread while cards are played."""
    process_seconds: float = 0.0
    """Processor time of all its threads, gRPC's included, while cards are played."""

    @property
    def asks_per_second(self) -> float:
        """Asks answered over the wire per second."""
        return self.asks / self.seconds

    @property
    def decisions_per_second(self) -> float:
        """Decisions made per second."""
        return self.decisions / self.seconds


def write_trivial_bot(folder: Path) -> Path:
    """Writes its program into a folder; it imports the same `bourre` as this process, compiled or not.

    A bot does not inherit PYTHONPATH, by which `dev.py compile` chooses the compiled one.
    """
    program = folder / "trivial_bot.py"
    program.write_text(_PROGRAM.format(str(Path(bourre.__file__).parents[1])))
    return program


def room_spec(deals: int, tables: int, folder: Path, seats: int = SEATS) -> PlacedRoom:
    """Returns a room of trivial bots with as many matches as tables; the bots and their logs are in this folder."""
    command = (sys.executable, str(write_trivial_bot(folder)))
    return PlacedRoom(
        room="bench",
        entries=tuple(BotEntry(name, command, folder) for name in BOTS[:seats]),
        matches=matches(deals, tables, seats),
        tables=tables,
        clock=PATIENT,
        max_faults=10,
        logs=folder,
    )


def time_room(deals: int, tables: int, make_connection: MakeConnection = Connection, seats: int = SEATS) -> RoomTiming:
    """Plays the room; the time starts when every bot has said hello."""
    return asyncio.run(_await_quietly(_time_room(deals, tables, make_connection, seats)))


async def _time_room(deals: int, tables: int, make_connection: MakeConnection, seats: int) -> RoomTiming:
    with tempfile.TemporaryDirectory(prefix="bourre-bench-") as folder:
        room = Room(room_spec(deals, tables, Path(folder), seats), make_connection=make_connection)
        launched = time.perf_counter()
        async with room.run_bots():
            await room.assemble()
            began = _clocks()
            outcomes = await room.play()
            seconds, thread, process = (late - early for early, late in zip(began, _clocks(), strict=True))
    asks = sum(timing.decisions for outcome in outcomes for timing in outcome.timings)
    return RoomTiming(asks, sum(map(_decisions, outcomes)), seconds, began[0] - launched, thread, process)


def _clocks() -> tuple[float, float, float]:
    return time.perf_counter(), time.thread_time(), time.process_time()


def _decisions(outcome: MatchOutcome) -> int:
    return decisions_in(outcome.record)


def decisions_in(record: str) -> int:
    """Counts the decisions in a match's record."""
    return sum(len(deal.actions) for deal in read(record).deals)


def time_echo(routes: Routes) -> RoomTiming:
    """Times an echo whose asks and answers have the same routes and sizes."""
    asks = sum(map(len, routes.by_table))
    exchanged = echo.exchange(len(BOTS), routes.by_table, routes.sizes)
    return RoomTiming(asks, asks, asyncio.run(_await_quietly(exchanged)))


async def _await_quietly(work: Coroutine[Any, Any, Result]) -> Result:
    """Awaits the work; after an interrupt, ignores what it raises, such as gRPC's complaints about its start."""
    try:
        return await work
    except Exception:
        task = asyncio.current_task()
        if task and task.cancelling():
            raise asyncio.CancelledError from None
        raise
