"""One table of five trivial bots against a bare gRPC echo: the same processes, routing and message sizes.

    .venv/bin/python benchmarks/wire.py [--pairs 8] [--deals 400] [--tables 1] [--json]

Room and echo take turns, so that a drifting machine weighs on both; the ratio is taken pair by pair.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import echo
from sizes import mean_sizes

from bourre.record import read
from bourre.rules.house import HouseRules
from bourre_referee.playing.room import Room
from bourre_referee.spec import Clock, Entry, MatchSpec, RoomSpec

SEATS = 5
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: how many asks were answered, how fast, and how large the messages were."""

    asks: int
    decisions: int
    """Asks, and forced plays, which the referee makes for the bots without asking."""
    seconds: float
    start_seconds: float

    @property
    def asks_per_second(self) -> float:
        """Questions asked and answered over the wire in a second."""
        return self.asks / self.seconds

    @property
    def decisions_per_second(self) -> float:
        """Decisions of the game made in a second."""
        return self.decisions / self.seconds


def room_spec(deals: int, tables: int, logs: Path) -> RoomSpec:
    """A room of trivial bots with as many matches as tables."""
    names = tuple(f"trivial{seat}" for seat in range(SEATS))
    command = (sys.executable, str(HERE / "trivial.py"))
    house = HouseRules.preset("limit")
    return RoomSpec(
        room="bench",
        entries=tuple(Entry(name, command, HERE) for name in names),
        matches=tuple(MatchSpec(f"m{number:04}", names, house, deals, bytes(32)) for number in range(tables)),
        tables=tables,
        clock=Clock(),
        max_faults=10,
        logs=logs,
    )


async def measure_room(deals: int, tables: int) -> Measured:
    """Plays the room; the clock runs from the moment when every bot is there."""
    with tempfile.TemporaryDirectory() as logs:
        room = Room(room_spec(deals, tables, Path(logs)))
        opening = time.perf_counter()
        async with room.opened():
            await room.assemble()
            began = time.perf_counter()
            outcomes = await room.play()
            seconds = time.perf_counter() - began
    asks = sum(timing.decisions for outcome in outcomes for timing in outcome.timings)
    decisions = sum(len(deal.actions) for outcome in outcomes for deal in read(outcome.record).deals)
    return Measured(asks, decisions, seconds, began - opening)


async def measure_echo(asks: int, tables: int, sizes: echo.Sizes) -> Measured:
    """As many exchanges as the room had asks, in as many rings as it had tables."""
    seconds = await echo.exchange(SEATS, asks, tables, sizes)
    return Measured(asks, asks, seconds, 0.0)


def main() -> None:
    """Prints the medians and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sizes = mean_sizes(SEATS, options.deals)
    rooms, echoes = [], []
    for _ in range(options.pairs):
        rooms.append(asyncio.run(measure_room(options.deals, options.tables)))
        echoes.append(asyncio.run(measure_echo(rooms[-1].asks, options.tables, sizes)))
    pairs = list(zip(rooms, echoes, strict=True))
    report = {
        "tables": options.tables,
        "pairs": options.pairs,
        "asks": rooms[0].asks,
        "ask_bytes": sizes.ask,
        "answer_bytes": sizes.answer,
        "asks_per_s": median(run.asks_per_second for run in rooms),
        "decisions_per_s": median(run.decisions_per_second for run in rooms),
        "echo_per_s": median(run.asks_per_second for run in echoes),
        "asks_to_echo": median(room.asks_per_second / bare.asks_per_second for room, bare in pairs),
        "decisions_to_echo": median(room.decisions_per_second / bare.asks_per_second for room, bare in pairs),
        "start_seconds": median(run.start_seconds for run in rooms),
    }
    print(json.dumps(report) if options.json else "\n".join(f"{key:18} {value}" for key, value in report.items()))


def median(numbers: Iterable[float]) -> float:
    """The median, to three decimals."""
    return round(statistics.median(numbers), 3)


if __name__ == "__main__":
    main()
