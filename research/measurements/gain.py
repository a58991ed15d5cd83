"""Tests whether a fault can pay: bots that break rules on purpose against honest twins, in the same matches.

    .venv/bin/python research/measurements/gain.py [--tables pagat,limit] [--ruses Announces,Recalls] [--session 400]
                                          [--settled 4000] [--duplicate 0] [--fine 0] [--jobs 2] [--csv FILE]

Each match is played twice from the same seed, with the same opponents in the same seats: once with the ruse and once
with its honest twin. The unit is the match. Chips for 100 deals, with a 95 % interval; research/faults-and-gain.md.
The summary is Markdown on stdout; `--csv` adds every cell to a file such as research/results/gain.csv.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from duel import Duel, RuseMaker, Setting
from paired import Difference, difference, gains
from rows import add_to_csv, head, line
from ruses import (
    Announces,
    AnnouncesDiscards,
    AnnouncesThriftily,
    IsLate,
    IsLateWhenBourred,
    IsLateWithCards,
    KeepsTrumps,
    Leaves,
    LeavesBourred,
    Recalls,
    RecallsWhenLost,
    Reneges,
    RenegesCheaply,
    RenegesTwice,
    Ruse,
    SaysRubbish,
    SpoilsPots,
    StaysAndPasses,
    StaysBourred,
    TakesTricks,
    TakesTricksBourred,
)

from bourre.bot import Bot
from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from examples.counter import Counter
from examples.drawer import Drawer
from examples.loose import Loose
from examples.random_bot import RandomBot
from examples.tight import Tight

_BASED_ON_HONEST_PLAY: tuple[type[Ruse], ...] = (
    *(Announces, AnnouncesThriftily, AnnouncesDiscards, Recalls, RecallsWhenLost),
    *(Reneges, KeepsTrumps, TakesTricks, TakesTricksBourred, SpoilsPots, RenegesTwice, RenegesCheaply),
    *(IsLate, SaysRubbish, IsLateWithCards, IsLateWhenBourred),
)
TWINS: dict[type[Ruse], RuseMaker] = {
    **dict.fromkeys(_BASED_ON_HONEST_PLAY, Ruse),
    Leaves: StaysAndPasses,
    LeavesBourred: StaysBourred,
}
"""Every ruse and its honest twin."""

TABLES: dict[str, HouseRules] = {
    "pagat": HouseRules.preset("pagat"),
    "limit": HouseRules.preset("limit"),
    "indiana": HouseRules.preset("indiana"),
    "booray": HouseRules.preset("booray"),
    "silent": HouseRules.preset("limit", renege_policy="silent"),
    "strict": HouseRules.preset("limit", renege_policy="strict"),
    "retract": HouseRules.preset("limit", renege_policy="retract"),
    "retract_renege": HouseRules.preset("limit", renege_policy="retract_renege"),
    "divide": HouseRules.preset("limit", tie="divide"),
    "next_best": HouseRules.preset("limit", renege_pot="next_best"),
    "dealer_antes_all": HouseRules.preset("limit", dealer_antes_all=True),
}
FIELDS: dict[str, tuple[type[Bot], ...]] = {"tight": (Tight,), "counter": (Counter,), "random": (RandomBot, Loose)}
POLICIES: tuple[type[Bot], ...] = (Counter, Drawer)
SEATS = (3, 5, 7)
FORMATS = ("session", "settled", "duplicate")
"""`settled` is a match of one deal, whose pot is shared out in whole chips; `duplicate` is one seating of a deal."""
LIMITED_DEALS, UNLIMITED_DEALS = 20, 8
"""Deals of a session: without a pot limit, a few enormous pots would decide longer ones."""


@dataclass(frozen=True, slots=True)
class Work:
    """The matches of one table, format and number of seats, which one process plays."""

    table: str
    house: HouseRules
    format: str
    seats: int
    matches: int
    ruses: tuple[type[Ruse], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One ruse in one match: what it won more than its twin."""

    ruse: str
    table: str
    format: str
    seats: int
    field: str
    chips: float
    """Chips more than the twin, per 100 deals."""
    wrongs: float
    """Faults and reneges per 100 deals."""


def deals_of(work: Work) -> int:
    """Returns the deals of a match."""
    if work.format != "session":
        return 1
    return UNLIMITED_DEALS if work.house.pot_limit is None else LIMITED_DEALS


def setting_of(work: Work, number: int) -> Setting:
    """Returns the match of this number: opponents, base bots and the seat of the ruse take turns."""
    bots = list(FIELDS.values())[number % len(FIELDS)]
    turn = number // len(FIELDS)
    return Setting(
        house=work.house,
        deals=deals_of(work),
        duplicate=work.format == "duplicate",
        seed=derive(master_seed(0), f"{work.format} {work.seats} {number}"),
        seat=turn // len(POLICIES) % work.seats,
        policy=POLICIES[turn % len(POLICIES)],
        others=[bots[other % len(bots)] for other in range(work.seats - 1)],
    )


def play(work: Work) -> list[Pair]:
    """Plays every match with every twin, and with every ruse that makes a difference in it."""
    pairs = []
    for number in range(work.matches):
        setting = setting_of(work, number)
        field = list(FIELDS)[number % len(FIELDS)]
        for ruse, more, wrongs in outcomes(setting, work.ruses):
            rate, name = 100 / setting.deals, ruse.__name__
            pairs.append(Pair(name, work.table, work.format, work.seats, field, more * rate, wrongs * rate))
    return pairs


def outcomes(setting: Setting, ruses: Iterable[type[Ruse]]) -> Iterator[tuple[type[Ruse], float, int]]:
    """Yields what each ruse won more than its twin in this match, and its wrongs; played only if they differ."""
    by_twin: defaultdict[RuseMaker, list[type[Ruse]]] = defaultdict(list)
    for ruse in ruses:
        by_twin[TWINS[ruse]].append(ruse)
    for twin, shadows in by_twin.items():
        duel = Duel(setting, twin, shadows)
        chips = duel.play().chips
        alike = {type(shadow) for shadow in duel.alike}
        for ruse in shadows:
            played = None if ruse in alike else Duel(setting, ruse).play()
            yield (ruse, played.chips - chips, played.wrongs) if played else (ruse, 0, 0)


class Cell(NamedTuple):
    """What is measured together: a ruse at a table in a format, with a number of seats or against some opponents."""

    table: str
    format: str
    ruse: str
    column: str


COLUMNS = (*(f"{seats} seats" for seats in SEATS), *FIELDS)
CSV_HEAD = (
    *("table", "fault_fine", "format", "ruse", "wrongs"),
    *(name for column in COLUMNS for name in (column, f"{column} ±")),
    "pays",
)
SUMMARY_HEAD = ("table", "format", "ruse", "with", "gain", "cells", "of these pay")


@dataclass(frozen=True, slots=True)
class Measured:
    """A cell's figures."""

    gain: Difference
    wrongs: Sequence[float]
    pays: bool
    """Whether the gain is significantly above 0 by Holm's correction over all cells."""


def measure(pairs: Iterable[Pair]) -> dict[Cell, Measured]:
    """Groups pairs by number of seats over all opponents, and by opponents over all numbers of seats."""
    groups: defaultdict[Cell, list[Pair]] = defaultdict(list)
    for pair in pairs:
        for column in (f"{pair.seats} seats", pair.field):
            groups[Cell(pair.table, pair.format, pair.ruse, column)].append(pair)
    differences = [difference([pair.chips for pair in group]) for group in groups.values()]
    return {
        cell: Measured(found, [pair.wrongs for pair in group], pays)
        for (cell, group), found, pays in zip(groups.items(), differences, gains(differences), strict=True)
    }


def csv_rows(cells: Mapping[Cell, Measured], fine: int) -> Iterator[list[str]]:
    """Yields a row for each ruse at each table in each format."""
    for table, form, ruse in dict.fromkeys(cell[:3] for cell in cells):
        here = {column: cells.get(Cell(table, form, ruse, column)) for column in COLUMNS}
        wrongs = fmean(wrong for column in FIELDS if (found := here[column]) for wrong in found.wrongs)
        pays = "; ".join(column for column, found in here.items() if found and found.pays)
        figures = [figure for found in here.values() for figure in _figures(found)]
        yield [table, str(fine), form, ruse, f"{wrongs:.1f}", *figures, pays]


def _figures(found: Measured | None) -> tuple[str, str]:
    """Formats the mean and half its interval: nothing if not played, two bare 0s if no chip ever moved differently."""
    if found is None:
        return "", ""
    moved = found.gain.mean or found.gain.error
    return (f"{found.gain.mean:+.1f}", f"{found.gain.reach:.1f}") if moved else ("0", "0")


def _score(gain: Difference) -> float:
    """The mean in standard errors, by which cells are compared."""
    return gain.mean / gain.error if gain.error else gain.mean


def summary(cells: Mapping[Cell, Measured]) -> Iterator[str]:
    """Yields a Markdown table: the cell of each table and format that speaks most for a gain."""
    yield head(SUMMARY_HEAD)
    for table, form in dict.fromkeys(cell[:2] for cell in cells):
        here = {cell: found for cell, found in cells.items() if cell[:2] == (table, form)}
        best = max(here, key=lambda cell: _score(here[cell].gain))
        gain = " ± ".join(_figures(here[best]))
        paying = sum(found.pays for found in here.values())
        yield line([f"`{table}`", form, best.ruse, best.column, gain, str(len(here)), str(paying)])


def works(options: argparse.Namespace) -> list[Work]:
    """Returns all work to do, the longest first."""
    ruses = {ruse.__name__: ruse for ruse in TWINS}
    chosen = tuple(ruses[name] for name in options.ruses.split(",")) if options.ruses else tuple(TWINS)
    matches = {"session": options.session, "settled": options.settled, "duplicate": options.duplicate}
    houses = {name: TABLES[name] for name in (options.tables.split(",") if options.tables else TABLES)}
    return [
        Work(name, replace(house, **({"fault_fine": options.fine} if options.fine else {})), form, seats, count, chosen)
        for name, house in houses.items()
        for form, count in matches.items()
        for seats in SEATS
        if count
    ]


def main() -> None:
    """Plays everything, and prints the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="comma-separated, of: " + ", ".join(TABLES))
    parser.add_argument("--ruses", help="comma-separated, of: " + ", ".join(ruse.__name__ for ruse in TWINS))
    parser.add_argument("--session", type=int, default=400, help="matches of a session for each table and seats")
    parser.add_argument("--settled", type=int, default=4000, help="deals settled by themselves, likewise")
    parser.add_argument("--duplicate", type=int, default=0, help="seatings of duplicate deals, likewise")
    parser.add_argument("--fine", type=int, default=0, help="chips for each fault (the house rule `fault_fine`)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--csv", type=Path, help="add every cell to this file")
    options = parser.parse_args()
    os.nice(10)
    pairs: list[Pair] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for played in pool.map(play, works(options)):
            pairs.extend(played)
    cells = measure(pairs)
    if options.csv:
        add_to_csv(options.csv, CSV_HEAD, csv_rows(cells, options.fine))
    print("\n".join(summary(cells)))


if __name__ == "__main__":
    main()
