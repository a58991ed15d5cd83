"""Measures the coverage of 95 % intervals: a thousand short contests of equal and of unequal bots.

    .venv/bin/python research/measurements/intervals.py [--runs 1000] [--only "unequal, duplicate"] [--school 240]

Tables in Markdown on stdout; research/calibration.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean, stdev

from fields import FIELDS
from playings import LIMIT, play_blocks, play_session
from rows import head, line

from bourre.bot import Bot
from bourre.practice.session import BotMaker
from bourre.rules.cards import Card
from bourre.rules.deck import derive, master_seed
from bourre.rules.pot import UNIT
from bourre.rules.visibility import View
from bourre_referee.luck import Schools
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from examples.counter import Counter
from examples.drawer import Drawer
from examples.follower import Follower
from examples.loose import Loose

MATCHES, SESSION = 12, 5
"""Matches of a short session contest, and deals in each."""


class Moody(Bot):
    """A bot that plays every deal like one of four, chosen at random: no two play alike, and none is better.

    Bots that are alike in what they do, too, would all win the same in duplicate: that shows nothing.
    """

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self._moods: tuple[Counter | Drawer | Follower | Loose, ...] = (Counter(), Drawer(), Follower(), Loose())
        self._mood = dice.choice(self._moods)

    def declare(self, view: View) -> bool:
        self._mood = self._dice.choice(self._moods)
        return self._mood.declare(view)

    def draw(self, view: View) -> list[Card]:
        return self._mood.draw(view)

    def play(self, view: View) -> Card:
        return self._mood.play(view)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one contest about a bot, or about the difference between two."""

    raw: Estimate
    adjusted: Estimate | None
    """Only in format `duplicate`."""


def schools_of(bots: Sequence[BotMaker], seed: bytes, deals: int) -> Schools:
    """Returns what an earlier match of so many deals taught."""
    schools = Schools()
    if deals:
        play_blocks(bots, LIMIT, seed, range(1, deals + 1), schools=schools)
    return schools


def duplicate(bots: Sequence[BotMaker], seed: bytes, count: int, schools: Schools | None = None) -> list[MatchResult]:
    """Plays one short contest of so many duplicate deals, and so blocks, in one match after these schools."""
    deals = []
    for block in play_blocks(bots, LIMIT, seed, range(1, count + 1), schools=deepcopy(schools)):
        units = tuple(map(sum, zip(*(playing.units for playing in block.playings), strict=True)))
        lucks = tuple(map(sum, zip(*(playing.lucky for playing in block.playings), strict=True)))
        deals.append(DealResult(units, lucks))
    chips = [sum(deal.chips[bot] for deal in deals) for bot in range(len(bots))]
    return [MatchResult("m1", count, _seats(range(len(bots)), chips), UNIT, tuple(deals))]


def sessions(bots: Sequence[BotMaker], seed: bytes) -> list[MatchResult]:
    """Plays one short contest of sessions with the pot limit; after each match every bot moves one seat on."""
    results = []
    for match in range(MATCHES):
        line_up = [(seat + match) % len(bots) for seat in range(len(bots))]
        chips = play_session([bots[bot] for bot in line_up], SESSION, LIMIT, derive(seed, f"match {match}"))
        results.append(MatchResult(f"m{match}", SESSION, _seats(line_up, chips)))
    return results


def _seats(line_up: Sequence[int], chips: Sequence[int]) -> tuple[SeatResult, ...]:
    seats = zip(line_up, chips, ranks_of(chips), strict=True)
    return tuple(SeatResult(str(bot), won, rank, 0, 0, 0, 0, 0) for bot, won, rank in seats)


def figures(results: Sequence[MatchResult], bot: int, against: int | None = None) -> Figures:
    """Returns the figures of standings or cross-table."""
    places = [(match, _seat(match, bot), None if against is None else _seat(match, against)) for match in results]
    raw = estimate_per_100((block for place in places for block in blocks_of(*place)), results[0].unit)
    if not results[0].blocks:
        return Figures(raw, None)
    parts = results[0].unit * ADJUSTED_PARTS
    return Figures(raw, estimate_per_100((block for place in places for block in adjusted_blocks_of(*place)), parts))


def _seat(match: MatchResult, bot: int) -> int:
    return next(seat for seat, row in enumerate(match.seats) if row.bot == str(bot))


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of contest, played many times."""

    name: str
    results: Sequence[Sequence[MatchResult]]
    equal: bool

    def rows(self) -> Iterator[str]:
        """Yields how often the intervals contain the true value, for bots and pairs, raw and adjusted."""
        for what, places in (("a bot", ((0, None), (1, None), (2, None))), ("a pair", ((0, 1), (0, 2), (1, 2)))):
            found = [[figures(results, *place) for results in self.results] for place in places]
            yield self._row(what, "raw", [[run.raw for run in runs] for runs in found], found)
            if found[0][0].adjusted is not None:
                adjusted = [[run.adjusted for run in runs if run.adjusted] for runs in found]
                yield self._row(what, "adjusted", adjusted, found)

    def _row(self, what: str, kind: str, estimates: list[list[Estimate]], found: list[list[Figures]]) -> str:
        """Uses the mean of all raw figures as the true value for unequal bots, also for adjusted figures."""
        truths = [0.0 if self.equal else fmean(run.raw.chips_per_100 for run in runs) for runs in found]
        held = [holds(run, truth) for runs, truth in zip(estimates, truths, strict=True) for run in runs]
        width = fmean(run.ci95[1] - run.chips_per_100 for runs in estimates for run in runs if run.ci95)
        return line([self.name, what, kind, f"{100 * fmean(held):.1f} %", f"± {width:.0f}"])

    def agreement(self) -> Iterator[str]:
        """Yields for each bot the mean of raw less adjusted over all runs."""
        for bot in range(3):
            both = [figures(results, bot) for results in self.results]
            apart = [run.raw.chips_per_100 - run.adjusted.chips_per_100 for run in both if run.adjusted]
            raw = fmean(run.raw.chips_per_100 for run in both)
            reach = 1.96 * stdev(apart) / sqrt(len(apart))
            yield line([self.name, f"{bot + 1}", f"{raw:+.2f}", f"{fmean(apart):+.2f} ± {reach:.2f}"])


def holds(estimate: Estimate, truth: float) -> bool:
    """Whether the interval contains the true value."""
    assert estimate.ci95 is not None
    return estimate.ci95[0] <= truth <= estimate.ci95[1]


def cases(runs: int, only: str, deals: int, school: int) -> Iterator[Case]:
    """Yields equal and unequal bots, in both formats. Duplicate contests follow a school of so many deals."""
    dice = Random(2025)
    moody: list[BotMaker] = [lambda: Moody(dice)] * 3
    unequal = FIELDS[1].bots
    seed = derive(master_seed(2025), "coverage")
    for name, bots in (("equal", moody), ("unequal", unequal)):
        schools = schools_of(bots, derive(seed, f"{name} school"), school)
        for kind, play in (("duplicate", partial(duplicate, count=deals, schools=schools)), ("session", sessions)):
            if only in ("", f"{name}, {kind}"):
                results = [play(bots, derive(seed, f"{name} {kind} {run}")) for run in range(runs)]
                yield Case(f"{name}, {kind}", results, equal=bots is moody)


def main(arguments: Sequence[str]) -> None:
    """Plays all contests and prints the coverage of their intervals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="contests of each kind")
    parser.add_argument("--only", default="", help="only this kind, such as 'unequal, duplicate'")
    parser.add_argument("--deals", type=int, default=12, help="deals of a duplicate contest")
    parser.add_argument("--school", type=int, default=0, help="earlier deals from which a duplicate contest knows bots")
    given = parser.parse_args(arguments)
    agreement = []
    print(head(("contest", "of", "figures", "interval holds", "mean half-width")))
    for case in cases(given.runs, given.only, given.deals, given.school):
        print(*case.rows(), sep="\n", flush=True)
        agreement += [] if case.results[0][0].unit == 1 else list(case.agreement())
    print("", head(("contest", "bot", "raw, per 100", "raw less adjusted")), *agreement, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
