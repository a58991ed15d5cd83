"""Measures whether a ladder's matchmaking is fair to bots that come and go, and what it costs.

    .venv/bin/python research/measurements/ladder_fairness.py [--quick]

Time is simulated; its unit is the mean length of a room. Each ladder first warms up. `--quick` simulates small ladders
only.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random
from statistics import median

from ladder_simulation import Measured, Setting, Simulation

from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import RoomChoice, pair

SMALL = {
    "12 bots, 1 room": Setting(always=12, workers=1),
    "20 bots, 2 rooms": Setting(always=20, workers=2),
    "20 bots, 4 rooms": Setting(always=20, workers=4),
    "100 bots, 5 rooms": Setting(always=100, workers=5),
    "100 bots, 4 of each owner": Setting(always=100, workers=5, bots_per_owner=4),
    "50 bots and 50 that come and go": Setting(always=50, passing=50, workers=5, staff=4, versions=0.3, void=0.01),
}
LARGE = {
    "4 x 2,500 bots": Setting(
        classes=4, always=500, passing=2000, workers=75, bots_per_owner=3, staff=8, versions=0.2, void=0.01
    ),
}
COLUMNS = ["ladder", "games", "wait", "longest", "first rated", "busy", "met", "seats", "ms"]


class Stopwatch:
    """Pairs rooms, and sums the processor time that it takes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.rooms = 0

    def pair(self, state: LadderState, seed: bytes, clock_class: str) -> RoomChoice | None:
        """Pairs a room; calls that find none count only as time."""
        begun = time.process_time()
        found = pair(state, seed, clock_class)
        self.seconds += time.process_time() - begun
        self.rooms += found is not None
        return found


def row(name: str, setting: Setting, warm: float, until: float) -> str:
    """Simulates a ladder and returns its row of the table."""
    watch = Stopwatch()
    simulation = Simulation(setting, Random(1), pairing=watch.pair)
    simulation.run(warm)
    simulation.measured = Measured()
    measured = simulation.run(until)
    waits = list(chain.from_iterable(measured.waits.values()))
    cells = [
        f"{measured.widest}",
        f"{median(waits):.2f}",
        f"{max(waits):.2f}",
        f"{max(measured.first_rated):.2f} of {len(measured.first_rated):,}" if measured.first_rated else "",
        f"{measured.busy / ((until - warm) * setting.workers * setting.classes):.0%}",
        spread(list(meetings(simulation))),
        str(max(seat_spreads(simulation, setting.seats))),
        f"{1000 * watch.seconds / watch.rooms:.2f}",
    ]
    return f"| {name} | {' | '.join(cells)} |"


def meetings(simulation: Simulation) -> Iterator[int]:
    """Yields how often each two bots of other owners met that are always there, in the first class."""
    bots = [simulation.state.bots[name] for name in simulation.always_there("class-0")]
    for one, other in combinations(bots, 2):
        if one.joined.owner != other.joined.owner:
            yield one.met[other.number]


def seat_spreads(simulation: Simulation, seats: int) -> Iterator[int]:
    """Yields, for each bot that is always there, how much oftener it sat in one seat than in another."""
    for name in simulation.always_there("class-0"):
        counts = [simulation.state.bots[name].at_seat[seat] for seat in range(seats)]
        yield max(counts) - min(counts)


def spread(counts: list[int]) -> str:
    """Returns the smallest and the largest count."""
    return f"{min(counts)} to {max(counts)}"


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description="Measures how fair a ladder is, in simulated time.")
    parser.add_argument("--quick", action="store_true", help="small ladders only")
    quick = parser.parse_args().quick
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for name, setting in SMALL.items():
        print(row(name, setting, 50, 350), flush=True)
    for name, setting in {} if quick else LARGE.items():
        print(row(name, setting, 40, 120), flush=True)


if __name__ == "__main__":
    main()
