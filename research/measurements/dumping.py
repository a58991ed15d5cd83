"""Measures how often the test for chip dumping finds a dumper, and how often it suspects honest bots.

`python research/measurements/dumping.py [CONTESTS [MATCHES]]`; contests of six shipped bots at tables of five, session,
preset limit. The contests are judged after a quarter, half and all of their matches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle, islice
from pathlib import Path
from random import Random

from dumper import PLOTTERS

from bourre.bot import Bot
from bourre.bot_code.bot_file import find, load
from bourre.practice import practice
from bourre.record import Record, read
from bourre.rules.deck import derive, master_seed
from bourre_referee.statistics.chip_dumping import find_dumping
from bourre_referee.statistics.pair_findings import PairFlow
from bourre_referee.statistics.played_deals import Flow, chip_flows, replay_deals

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = ("tight", "counter", "loose", "follower", "pot_aware", "drawer")
SEATS = 5
DEALS = 30

WAYS = ("bold", "careful", "soft")
"""The two ways to dump, and soft play."""

Makers = Mapping[str, Callable[[], Bot]]


@dataclass(frozen=True, slots=True)
class Plot:
    """A dumper, its friend, and how it dumps."""

    payer: str
    taker: str
    way: str
    """One of PLOTTERS."""


def shipped_bots() -> Makers:
    """Returns the example bots, by name."""
    return {name: load(find(name, [EXAMPLES])) for name in BOTS}


def contest(bots: Makers, matches: int, seed: int, plot: Plot | None, deals: int = DEALS) -> Iterator[list[Flow]]:
    """Yields the flows of each match."""
    for record in records(bots, matches, seed, plot, deals):
        yield chip_flows(record.header.bots, replay_deals(record))


def records(bots: Makers, matches: int, seed: int, plot: Plot | None, deals: int = DEALS) -> Iterator[Record]:
    """Plays a contest and yields its records; every line-up occurs equally often, in random seats."""
    rng = Random(seed)
    line_ups = cycle(combinations(bots, SEATS))
    for number, line_up in enumerate(islice(line_ups, matches), start=1):
        seated = rng.sample(line_up, SEATS)
        makers = {name: bots[name] for name in seated} | _seat_plotters(bots, seated, plot)
        played = practice(makers, deals=deals, seed=derive(master_seed(seed), f"match {number}"))
        yield read(played.matches[0].record)


def _seat_plotters(bots: Makers, seated: Sequence[str], plot: Plot | None) -> dict[str, Callable[[], Bot]]:
    """Replaces the honest bot by the dumper if its friend is at the table."""
    if plot is None or plot.payer not in seated or plot.taker not in seated:
        return {}
    honest, friend = bots[plot.payer], seated.index(plot.taker)
    return {plot.payer: lambda: PLOTTERS[plot.way](honest(), friend)}


def judge(played: Sequence[Sequence[Flow]], plot: Plot | None) -> tuple[bool, bool, float]:
    """Returns whether the dumper is suspected, whether another pair is, and the highest flow over expectation."""
    found = find_dumping([flow for match in played for flow in match], BOTS)
    plotted = [pair for pair in found if plot and (pair.payer, pair.taker) == (plot.payer, plot.taker)]
    others = [pair for pair in found if pair not in plotted]
    return any(pair.suspicious for pair in plotted), any(pair.suspicious for pair in others), max(map(_ratio, found))


def _ratio(pair: PairFlow) -> float:
    return pair.per_100 / pair.expected_per_100 if pair.expected_per_100 else 0.0


def main() -> None:
    """Plays the contests and prints a table."""
    contests, matches = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (20, 120)
    bots = shipped_bots()
    print(f"{contests} contests of each kind, matches of {DEALS} deals")
    for way in ("honest", *WAYS):
        plays = []
        for number in range(contests):
            payer, taker = Random(f"pair {number}").sample(BOTS, 2)
            plot = None if way == "honest" else Plot(payer, taker, way)
            plays.append((plot, list(contest(bots, matches, number, plot))))
        for part in (matches // 4, matches // 2, matches):
            verdicts = [judge(played[:part], plot) for plot, played in plays]
            caught, wrong = (sum(verdict[at] for verdict in verdicts) for at in (0, 1))
            highest = max(verdict[2] for verdict in verdicts)
            line = f"{way:8} {part:4} matches, {part * DEALS:5} deals: dumper found {caught:3}"
            print(f"{line}, another pair suspected {wrong:3}, highest flow {highest:.2f} x expected", flush=True)
        if way == "honest":
            highest = judge([match for _, played in plays for match in played], None)[2]
            print(f"         all these contests as one: highest flow {highest:.2f} x expected", flush=True)


if __name__ == "__main__":
    main()
