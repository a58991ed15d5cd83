"""Measures how balanced schedules are, and what they cost: spreads and CPU seconds over a grid of sizes.

    .venv/bin/python research/measurements/schedules.py [--all]

With `--all` every number of bots from 2 to 64 at tables of 2 to 8, which takes long; else a choice. The searches
start afresh: nothing that was kept is used. Each schedule is told on stderr when it is made.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from bourre_referee.contest.schedule import Schedule, round_robin, round_robin_tables
from bourre_referee.contest.schedule.designs import finite_field

CHOICE = [(bots, seats) for bots in (10, 15, 20, 28, 36, 45, 52, 60, 63, 64) for seats in (3, 5, 8)]
ALL = [(bots, seats) for bots in range(2, 65) for seats in range(2, min(8, bots) + 1)]


@dataclass(slots=True)
class Row:
    """The results for one kind of schedule."""

    seats: Counter[int] = field(default_factory=Counter)
    pairs: Counter[int] = field(default_factory=Counter)
    neighbours: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, asked: str, make: Callable[[], Schedule]) -> None:
        """Makes a schedule and record its spreads."""
        begun = time.process_time()
        balance = make().balance
        self.seconds.append(time.process_time() - begun)
        self.seats[balance.seat] += 1
        self.pairs[balance.pair] += 1
        self.neighbours[balance.neighbour] += 1
        print(f"{asked}: {balance}, {self.seconds[-1]:.2f} s", file=sys.stderr, flush=True)

    def __str__(self) -> str:
        shares = " | ".join(_shares(counts) for counts in (self.seats, self.pairs, self.neighbours))
        return f"{len(self.seconds)} | {shares} | {max(self.seconds):.1f} s"


def _shares(counts: Counter[int]) -> str:
    return ", ".join(f"{spread}: {count}" for spread, count in sorted(counts.items()))


def schedule_makers(bots: int, seats: int) -> Iterator[tuple[str, str, Callable[[], Schedule]]]:
    """Yields kind, name and maker of each schedule of this size."""
    kind = "full cycle, prime power" if finite_field(bots) else "full cycle, other"
    size = f"{bots} bots, {seats} seats"
    yield kind, f"{size}, full cycle", partial(round_robin, bots, seats, None, b"")
    for rounds in (1, 3, 8):
        yield "rounds", f"{size}, {rounds} rounds", partial(round_robin, bots, seats, rounds, b"")
    for rest in (max(1, bots // 3), bots - 1):
        yield (
            "a round and a tail",
            f"{size}, {bots + rest} tables",
            partial(round_robin_tables, bots, seats, bots + rest, b""),
        )


def main() -> None:
    """Prints a row for each kind of schedule: how many had which spread, and the longest search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every size")
    rows: defaultdict[str, Row] = defaultdict(Row)
    for bots, seats in ALL if parser.parse_args().all else CHOICE:
        for kind, name, make in schedule_makers(bots, seats):
            rows[kind].add(name, make)
    for kind, row in rows.items():
        print(f"| {kind} | {row} |")


if __name__ == "__main__":
    main()
