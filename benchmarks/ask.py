"""Measures the processor time of an ask, here and in the bots: `python benchmarks/ask.py [--tables 64] [--rounds 5]`.

A short room and one with eight times as many deals take turns; the difference is the cost of the additional asks,
without start-up. Processor time hardly depends on what else the machine does. Figures are medians.
"""

from __future__ import annotations

import argparse
import resource
import statistics
from typing import NamedTuple

from bench.room_speed import time_room

TIMES_LONGER = 8


class Spent(NamedTuple):
    """Seconds of one room, or of one ask."""

    wall: float
    """While cards are played."""
    thread: float
    """Processor time of the referee's own thread while cards are played."""
    process: float
    """Processor time of all its threads, gRPC's included, while cards are played."""
    bots: float
    """Processor time of the bots and the processes that started them."""


def main() -> None:
    """Prints microseconds per ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--deals", type=int, default=8, help="deals of the shorter room, at each table")
    parser.add_argument("--rounds", type=int, default=5)
    told = parser.parse_args()
    found = [_an_ask(told.tables, told.deals) for _ in range(told.rounds)]
    for name in Spent._fields:
        print(f"{name:8} {1e6 * statistics.median(getattr(spent, name) for spent in found):7.1f} us an ask")


def _an_ask(tables: int, deals: int) -> Spent:
    (few, short), (many, long) = _room(tables, deals), _room(tables, TIMES_LONGER * deals)
    return Spent(*((more - less) / (many - few) for less, more in zip(short, long, strict=True)))


def _room(tables: int, deals: int) -> tuple[int, Spent]:
    """Returns how many asks were answered, and the time they took."""
    before = _of_children()
    timed = time_room(deals, tables)
    bots = _of_children() - before
    return timed.asks, Spent(timed.seconds, timed.thread_seconds, timed.process_seconds, bots)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
