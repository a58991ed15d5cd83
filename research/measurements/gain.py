"""Tests whether a fault can pay: bots that break rules on purpose against honest twins, in the same matches.

    .venv/bin/python research/measurements/gain.py [--tables pagat,limit] [--ruses Announces,Recalls] [--session 400]
                                          [--settled 4000] [--duplicate 0] [--fine 0] [--jobs 2]

Each match is played twice from the same seed, with the same opponents in the same seats: once with the ruse and once
with its honest twin. The unit is the match. Chips for 100 deals, with a 95 % interval; research/faults-and-gain.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from duel import Duel, RuseMaker, Setting
from paired import Difference, difference, gains
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

TWINS: dict[type[Ruse], RuseMaker] = {
    Announces: Ruse,
    AnnouncesThriftily: Ruse,
    AnnouncesDiscards: Ruse,
    Recalls: Ruse,
    RecallsWhenLost: Ruse,
    Reneges: Ruse,
    KeepsTrumps: Ruse,
    TakesTricks: Ruse,
    TakesTricksBourred: Ruse,
    SpoilsPots: Ruse,
    RenegesTwice: Ruse,
    RenegesCheaply: Ruse,
    IsLate: Ruse,
    SaysRubbish: Ruse,
    IsLateWithCards: Ruse,
    IsLateWhenBourred: Ruse,
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
    """Return the deals of a match."""
    if work.format != "session":
        return 1
    return UNLIMITED_DEALS if work.house.pot_limit is None else LIMITED_DEALS


def setting_of(work: Work, number: int) -> Setting:
    """Return the match of this number: opponents, base bots and the seat of the ruse take turns."""
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
    """Play every match with every twin, and with every ruse that makes a difference in it."""
    pairs = []
    for number in range(work.matches):
        setting = setting_of(work, number)
        field = list(FIELDS)[number % len(FIELDS)]
        for ruse, more, wrongs in outcomes(setting, work.ruses):
            rate, name = 100 / setting.deals, ruse.__name__
            pairs.append(Pair(name, work.table, work.format, work.seats, field, more * rate, wrongs * rate))
    return pairs


def outcomes(setting: Setting, ruses: Iterable[type[Ruse]]) -> Iterator[tuple[type[Ruse], float, int]]:
    """Yield what each ruse won more than its twin in this match, and its wrongs; played only if they differ."""
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


Cell = tuple[str, str, str, str]
"""Ruse, table, format, and the seats or the opponents."""


def cells(pairs: Iterable[Pair]) -> dict[Cell, list[Pair]]:
    """Group pairs by number of seats over all opponents, and by opponents over all numbers of seats."""
    found: defaultdict[Cell, list[Pair]] = defaultdict(list)
    for pair in pairs:
        for column in (f"{pair.seats} seats", pair.field):
            found[pair.ruse, pair.table, pair.format, column].append(pair)
    return dict(found)


def report(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield a Markdown table for every house and format; cells are bold if a ruse pays."""
    grouped = cells(pairs)
    measured = {cell: difference([pair.chips for pair in group]) for cell, group in grouped.items()}
    found = dict(zip(measured, gains(list(measured.values())), strict=True))
    yield f"{sum(found.values())} of {len(found)} cells gain significantly (Holm over all of them)."
    columns = [*(f"{seats} seats" for seats in SEATS), *FIELDS]
    for table, form in dict.fromkeys((pair.table, pair.format) for pair in pairs):
        rows = dict.fromkeys(pair.ruse for pair in pairs if (pair.table, pair.format) == (table, form))
        yield f"\n### `{table}`, {form}\n\n| ruse | wrongs | {' | '.join(columns)} |"
        yield f"|---|{'---:|' * (len(columns) + 1)}"
        for ruse in rows:
            here = {column: (ruse, table, form, column) for column in columns}
            wrongs = [pair.wrongs for column in FIELDS for pair in grouped.get(here[column], [])]
            shown = [shown_cell(measured[cell], found[cell]) if cell in measured else "" for cell in here.values()]
            yield f"| {ruse} | {sum(wrongs) / len(wrongs):.1f} | {' | '.join(shown)} |"


def shown_cell(measured: Difference, gains_here: bool) -> str:
    """Format the mean and half its interval; bold if the ruse pays, a bare 0 if nothing ever differed."""
    if measured.mean == 0 == measured.error:
        return "0"
    text = f"{measured.mean:+.1f} ± {measured.reach:.1f}"
    return f"**{text}**" if gains_here else text


def works(options: argparse.Namespace) -> list[Work]:
    """Return all work to do, the longest first."""
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
    """Play everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="comma-separated, of: " + ", ".join(TABLES))
    parser.add_argument("--ruses", help="comma-separated, of: " + ", ".join(ruse.__name__ for ruse in TWINS))
    parser.add_argument("--session", type=int, default=400, help="matches of a session for each table and seats")
    parser.add_argument("--settled", type=int, default=4000, help="deals settled by themselves, likewise")
    parser.add_argument("--duplicate", type=int, default=0, help="seatings of duplicate deals, likewise")
    parser.add_argument("--fine", type=int, default=0, help="chips for each fault (the house rule `fault_fine`)")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    os.nice(10)
    pairs: list[Pair] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for played in pool.map(play, works(options)):
            pairs.extend(played)
    print("\n".join(report(pairs)))


if __name__ == "__main__":
    main()
