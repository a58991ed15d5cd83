"""Measures how many deals separate two bots at 95 %: duplicate, settled deals, and sessions with carried pots.

    .venv/bin/python research/measurements/separation.py [--deals 600] [--matches 200] [--csv FILE]

A deal is one playing: duplicate pays for each of its seatings. The medians are Markdown on stdout; `--csv` adds every
pair to a file such as research/results/deals_needed.csv. research/calibration.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median, variance

from fields import FIELDS, Field
from needed import REACH, Gap, gap_of
from playings import LIMIT, NO_LIMIT, Block, play_matches, play_session
from rows import add_to_csv, head, line

from bourre.rules.deck import derive
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre_referee.luck import COEFFICIENT, SCHOOL_DEALS

SESSION = 50
"""Deals of a session."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots at one table, in all formats."""

    seats: int
    names: tuple[str, str]
    adjusted: Gap
    raw: Gap
    naive: Gap
    limited: Gap
    unlimited: Gap

    @property
    def over_naive(self) -> float:
        """How many times fewer deals corrected duplicate takes than settled deals, for the same difference."""
        return self.naive.variance / self.adjusted.variance

    @property
    def over_unlimited(self) -> float:
        """Likewise for sessions without a limit; a lower bound if these leave the difference open."""
        return self.unlimited.needed / self.adjusted.needed


def pairs_of(field: Field, deals: int, matches: int) -> Iterator[Pair]:
    """Measures every two bots of a table."""
    seed = field.seed("evaluation")
    school = field.share(SCHOOL_DEALS, slowly=2)
    blocks = play_matches(field.bots, LIMIT, seed, school + field.share(deals))[school:]
    limited, unlimited = (sessions(field, field.share(matches), house) for house in (LIMIT, NO_LIMIT))
    for one, other in combinations(range(len(field.bots)), 2):
        adjusted = gap_of([block.adjusted(one, other, COEFFICIENT) for block in blocks], len(field.bots))
        yield Pair(
            seats=len(field.bots),
            names=(field.bots[one].__name__, field.bots[other].__name__),
            adjusted=adjusted,
            raw=replace(adjusted, variance=duplicate_variance(blocks, one, other)),
            naive=replace(adjusted, variance=naive_variance(blocks, one, other)),
            limited=gap_of([chips[one] - chips[other] for chips in limited], SESSION),
            unlimited=gap_of([chips[one] - chips[other] for chips in unlimited], SESSION),
        )


def duplicate_variance(blocks: Sequence[Block], one: int, other: int) -> float:
    """Returns the variance of a seating, uncorrected."""
    return variance([block.chips[one] - block.chips[other] for block in blocks]) / len(blocks[0].playings)


def naive_variance(blocks: Sequence[Block], one: int, other: int) -> float:
    """Treats single seatings of duplicate deals as settled deals in random seats, which they are."""
    playings = [playing.units for block in blocks for playing in block.playings]
    return variance([(units[one] - units[other]) / UNIT for units in playings])


def sessions(field: Field, matches: int, house: HouseRules) -> list[list[int]]:
    """Returns the final chips of each bot, by number, for each session in random seats."""
    seed = field.seed(f"sessions {house.pot_limit}")
    dice = Random(seed)
    ended = []
    for match in range(matches):
        line_up = dice.sample(range(len(field.bots)), len(field.bots))
        chips = play_session([field.bots[bot] for bot in line_up], SESSION, house, derive(seed, f"match {match}"))
        ended.append([chips[line_up.index(bot)] for bot in range(len(field.bots))])
    return ended


def row(field: Field, pair: Pair) -> list[str]:
    """Returns one pair as a row of the file."""
    gaps = (pair.adjusted, pair.raw, pair.naive, pair.limited, pair.unlimited)
    difference = (f"{100 * pair.adjusted.mean:+.1f}", f"{100 * REACH * pair.adjusted.error:.1f}")
    sign = "" if pair.unlimited.clear else "> "
    beyond = f"{sign}{pair.over_unlimited:.1f}" if pair.adjusted.clear else ""
    needed = [str(gap).replace(",", "") for gap in gaps]
    return [f"{pair.seats}", f"{field}", " - ".join(pair.names), *difference, *needed, f"{pair.over_naive:.2f}", beyond]


CSV_HEAD = (
    "seats",
    "table",
    "pair",
    "difference",
    "difference ±",
    "corrected",
    "duplicate",
    "settled",
    "session, limit",
    "session, no limit",
    "over settled",
    "over no limit",
)


def summary(name: str, pairs: Sequence[Pair]) -> str:
    """Returns the medians over pairs as a row of a table."""
    clear = [pair for pair in pairs if pair.adjusted.clear]
    raw = median(pair.naive.variance / pair.raw.variance for pair in pairs)
    limited = median(pair.limited.needed / pair.adjusted.needed for pair in clear)
    cells = [
        name,
        f"{len(pairs)}",
        f"{raw:.2f}",
        f"{median(pair.over_naive for pair in pairs):.2f}",
        f"{min(pair.over_naive for pair in pairs):.2f} to {max(pair.over_naive for pair in pairs):.2f}",
        f"{len(clear)}",
        f"{limited:.1f}",
        f"{median(pair.over_unlimited for pair in clear):.1f}",
    ]
    return line(cells)


SUMMARY_HEAD = (
    "seats",
    "pairs",
    "duplicate over settled",
    "corrected over settled",
    "least and most",
    "clear pairs",
    "corrected over session, limit",
    "corrected over session, no limit",
)


def main(arguments: Sequence[str]) -> None:
    """Measures all tables and prints them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=600, help="duplicate deals at each table, after its school")
    parser.add_argument("--matches", type=int, default=200, help="sessions at each table, with and without a limit")
    parser.add_argument("--csv", type=Path, help="add every pair to this file")
    options = parser.parse_args(arguments)
    measured: list[Pair] = []
    for field in FIELDS:
        pairs = list(pairs_of(field, options.deals, options.matches))
        if options.csv:
            add_to_csv(options.csv, CSV_HEAD, (row(field, pair) for pair in pairs))
        measured += pairs
    print(head(SUMMARY_HEAD))
    for seats in sorted({pair.seats for pair in measured}):
        print(summary(str(seats), [pair for pair in measured if pair.seats == seats]))
    print(summary("all", measured))


if __name__ == "__main__":
    main(sys.argv[1:])
