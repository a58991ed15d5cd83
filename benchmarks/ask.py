"""What one ask costs in processor time, here and in the bots: `python benchmarks/ask.py [--tables 64] [--rounds 5]`.

A short room and one of eight times as many deals are played in turns; the difference is what their further asks cost,
without what it takes to start. Processor time hardly depends on what else the machine does. Figures are medians.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from typing import NamedTuple

from bourre_referee.diagnostics.bench.room_speed import time_room

TIMES_LONGER = 8


class Spent(NamedTuple):
    """Seconds of one room, or of one ask."""

    wall: float
    """While cards are played."""
    thread: float
    """Of the processor, by the referee's own thread; counting the decisions in the records is part of it."""
    process: float
    """By all of its threads, gRPC's among them."""
    bots: float
    """By the bots, and by what started them."""


def main() -> None:
    """Prints microseconds an ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--deals", type=int, default=8, help="of the shorter room, at each table")
    parser.add_argument("--rounds", type=int, default=5)
    told = parser.parse_args()
    found = [_an_ask(told.tables, told.deals) for _ in range(told.rounds)]
    for name in Spent._fields:
        print(f"{name:8} {1e6 * statistics.median(getattr(spent, name) for spent in found):7.1f} us an ask")


def _an_ask(tables: int, deals: int) -> Spent:
    (few, short), (many, long) = _room(tables, deals), _room(tables, TIMES_LONGER * deals)
    return Spent(*((more - less) / (many - few) for less, more in zip(short, long, strict=True)))


def _room(tables: int, deals: int) -> tuple[int, Spent]:
    """How many asks were answered, and what it took."""
    before = time.thread_time(), time.process_time(), _of_children()
    timed = time_room(deals, tables)
    after = time.thread_time(), time.process_time(), _of_children()
    return timed.asks, Spent(timed.seconds, *(late - early for early, late in zip(before, after, strict=True)))


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
