"""Measures what bots that compute off turn cost the bot on turn, and what stopping them costs an honest table.

    .venv/bin/python research/measurements/off_turn.py [--burners 7] [--moves 30] [--rooms 5] [--deals 100]

First a fixed piece of work is timed beside processes that burn. Then rooms of trivial bots are played, as by
`python3 dev.py bench`, with three ways to treat bots off turn, in turns; ratios are taken round by round.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from burning import halt, let, lower, pin, prefer, time_moves

from bourre_referee.model.spec import Clock
from bourre_referee.sandbox.cpu_guard import CpuGuard, GuardedProcess
from bourre_referee.sandbox.cpu_meter import processor_ms, tree
from bourre_referee.server.room import Room

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from bench.room_speed import room_spec

ROUNDS = 5
"""Rounds, in each of which every method has a turn, so that a drifting machine affects all alike."""
EXAMPLE = Path(__file__).parents[2] / "examples" / "counter.py"
PATIENT = Clock(start_ms=120_000, decision_ms=30_000)
"""A clock by which no bot is late, however busy the machine."""


class Untouched(CpuGuard):
    """A guard that stops no bot."""

    def watch(self, processes: Mapping[str, GuardedProcess]) -> None:
        """Watches no bot."""


class AlwaysStopped(CpuGuard):
    """A guard that stops every bot off turn, busy or not."""

    def watch(self, processes: Mapping[str, GuardedProcess]) -> None:
        """Watches all bots as if they had been found busy."""
        super().watch(processes)
        for watched in self._bots.values():
            watched.meter.burns = True


WAYS: dict[str, type[CpuGuard]] = {
    "untouched": Untouched,
    "stopped when burning": CpuGuard,
    "always stopped": AlwaysStopped,
}


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one room."""

    asks_per_second: float
    cores: float
    """Processor time of referee and bots per second."""


async def play(way: type[CpuGuard], deals: int, tables: int, program: Path | None = None) -> Played:
    """Times a room of trivial bots, or of this program, from the moment all bots have connected."""
    with tempfile.TemporaryDirectory() as logs, patch("bourre_referee.server.bot_pool.CpuGuard", way):
        spec = replace(room_spec(deals, tables, Path(logs)), clock=PATIENT)
        if program:
            command = (sys.executable, str(program))
            spec = replace(spec, entries=tuple(replace(entry, command=command) for entry in spec.entries))
        room = Room(spec)
        async with room.run_bots():
            prefer_all()
            await room.assemble()
            prefer_all()
            began, used = time.perf_counter(), processor_ms(os.getpid())
            outcomes = await room.play()
            seconds, used = time.perf_counter() - began, processor_ms(os.getpid()) - used
    asks = sum(timing.decisions for outcome in outcomes for timing in outcome.timings)
    return Played(asks / seconds, used / 1000 / seconds)


def prefer_all() -> None:
    """Raises the priority of this process and all that it has started."""
    for process in tree(os.getpid()):
        prefer(process)


def show_moves(burners: int, moves: int) -> None:
    """Prints the time of a move beside busy processes."""
    ways = (
        ("not there", 0, let, True),
        ("let alone", burners, let, True),
        ("pinned to the other cores", burners, pin, True),
        ("at nice 19, in sessions of their own as bots are", burners, lower, True),
        ("at nice 19, in one session", burners, lower, False),
        ("stopped", burners, halt, True),
    )
    taken: dict[str, list[float]] = {text: [] for text, *_ in ways}
    for _ in range(ROUNDS):
        for text, number, restrain, own in ways:
            taken[text] += time_moves(number, restrain, moves, own_sessions=own)
    print(f"| {burners} processes that burn are | a move takes, ms |\n|---|---:|")
    for text, seconds in taken.items():
        print(f"| {text} | {1000 * statistics.median(seconds):.1f} |", flush=True)


def show_rooms(rooms: int, deals: int, tables: int) -> None:
    """Prints the speed of an honest table with each method, relative to the untouched one of the same round."""
    played: dict[str, list[Played]] = {name: [] for name in WAYS}
    for number in range(rooms):
        names = list(WAYS) if number % 2 == 0 else list(WAYS)[::-1]
        for name in names:
            played[name].append(asyncio.run(play(WAYS[name], deals, tables)))
    print(f"\n| honest bots, {tables} table(s), off turn | asks/s | to untouched | cores used |\n|---|---:|---:|---:|")
    for name, of in played.items():
        speed = statistics.median(room.asks_per_second for room in of)
        ratios = [
            room.asks_per_second / base.asks_per_second for room, base in zip(of, played["untouched"], strict=True)
        ]
        cores = statistics.median(room.cores for room in of)
        print(f"| {name} | {speed:.0f} | {statistics.median(ratios):.2f} | {cores:.2f} |", flush=True)


def show_cores(deals: int) -> None:
    """Prints how many cores a room keeps busy, with bots that think as long as ordinary ones."""
    print("\n| tables | cores used by a room of examples/counter.py |\n|---:|---:|")
    for tables in (1, 2, 8):
        room = asyncio.run(play(CpuGuard, deals, tables, EXAMPLE))
        print(f"| {tables} | {room.cores:.2f} |", flush=True)


def main() -> None:
    """Measures and prints everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--burners", type=int, default=7)
    parser.add_argument("--moves", type=int, default=30, help="moves per round")
    parser.add_argument("--rooms", type=int, default=5, help="rounds of rooms")
    parser.add_argument("--deals", type=int, default=100)
    options = parser.parse_args()
    prefer(os.getpid())
    show_moves(options.burners, options.moves)
    for tables in (1, 8):
        show_rooms(options.rooms, options.deals, tables)
    show_cores(options.deals)


if __name__ == "__main__":
    main()
