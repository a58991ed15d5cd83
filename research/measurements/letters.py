"""Measures how often letters tell equal bots apart: thousands of contests of 5, 8 and 12 bots.

    .venv/bin/python research/measurements/letters.py [--runs 2000] [--csv FILE]

What a table of equal bots comes to is drawn from real play, with replacement, and dealt out to the bots by chance, so
that they are equal whatever the seats are worth. Tables in Markdown on stdout; `--csv` adds the first to a file such as
research/results/letters.csv. docs/statistics.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean

from intervals import Moody
from playings import LIMIT, play_block, play_session
from rows import add_to_csv, head, line

from bourre.practice.session import BotMaker
from bourre.rules.deck import derive, master_seed
from bourre.rules.pot import UNIT
from bourre_referee.contest.schedule import round_robin
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.estimates import estimate_per_100
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.pair_findings import significant_pairs

SEATS = 5
SEED = derive(master_seed(2026), "letters")
POOL = 3000
"""Number of table results to draw from."""
SCHEDULES = 10
"""Numbers of bots and of rounds."""
DEALS = 10
"""Deals of a duplicate match."""
EQUAL_HEAD = ("contest", "bots", "rounds", "each pair by itself", "letters")
LEADS = (0, 0, 0, 0, 40, 40, -60, -120)
"""The advantage of each of eight unequal bots, in chips per 100 deals."""

Play = Callable[[str, Sequence[str], Random], MatchResult]
"""Plays a match, given its name, line-up and random numbers."""


class Sessions:
    """Sessions of a given number of deals."""

    def __init__(self, deals: int) -> None:
        dice = Random(deals)
        bots: list[BotMaker] = [lambda: Moody(dice)] * SEATS
        self._deals = deals
        self._pool = [play_session(bots, deals, LIMIT, derive(SEED, f"{deals} {table}")) for table in range(POOL)]

    def play(self, match: str, bots: Sequence[str], dice: Random, leads: Sequence[float] = (0,) * SEATS) -> MatchResult:
        """Plays a match of bots that are equal except for their leads."""
        drawn = dice.sample(dice.choice(self._pool), SEATS)
        mean = fmean(leads)
        chips = [won + round(self._deals * (lead - mean) / 100) for won, lead in zip(drawn, leads, strict=True)]
        chips[0] -= sum(chips)
        return MatchResult(match, self._deals, _seats(bots, chips))


class Duplicate:
    """Matches of DEALS duplicate deals."""

    def __init__(self) -> None:
        dice = Random(0)
        bots: list[BotMaker] = [lambda: Moody(dice)] * SEATS
        self._pool = [_deal(bots, number) for number in range(1, POOL + 1)]

    def play(self, match: str, bots: Sequence[str], dice: Random) -> MatchResult:
        """Plays a match of equal bots."""
        deals = [_shuffle(deal, dice) for deal in dice.choices(self._pool, k=DEALS)]
        chips = [sum(deal.chips[seat] for deal in deals) for seat in range(SEATS)]
        return MatchResult(match, DEALS, _seats(bots, chips), UNIT, tuple(deals))


def _deal(bots: Sequence[BotMaker], number: int) -> DealResult:
    playings = play_block(bots, LIMIT, SEED, number).playings
    units = zip(*(playing.units for playing in playings), strict=True)
    lucky = zip(*(playing.lucky for playing in playings), strict=True)
    return DealResult(tuple(map(sum, units)), tuple(map(sum, lucky)))


def _shuffle(deal: DealResult, dice: Random) -> DealResult:
    order = dice.sample(range(SEATS), SEATS)
    return DealResult(tuple(deal.chips[seat] for seat in order), tuple(deal.luck[seat] for seat in order))


def _seats(bots: Sequence[str], chips: Sequence[int]) -> tuple[SeatResult, ...]:
    rows = zip(bots, chips, ranks_of(chips), strict=True)
    return tuple(SeatResult(bot, won, rank, 0, 0, 0, 0, 0) for bot, won, rank in rows)


@dataclass(frozen=True, slots=True)
class Told:
    """The pairs that one contest tells apart."""

    one_by_one: frozenset[frozenset[str]]
    """Pairs told apart by their own interval, as in the cross-table; in `duplicate` less luck."""
    together: frozenset[frozenset[str]]
    """Pairs told apart by letters."""


def contests(play: Play, bots: int, rounds: int, runs: int) -> Iterator[Told]:
    """Simulates this many contests: whole rounds of the schedule at tables of five."""
    names = [f"bot{number}" for number in range(bots)]
    dice = Random(bots)
    schedules = [round_robin(bots, SEATS, rounds, derive(SEED, f"schedule {number}")) for number in range(SCHEDULES)]
    for run in range(runs):
        line_ups = enumerate(schedules[run % SCHEDULES].line_ups)
        results = [play(f"m{n}", [names[bot] for bot in line_up], dice) for n, line_up in line_ups]
        yield Told(_one_by_one(results), significant_pairs(tally_of(results), names))


def _one_by_one(results: Sequence[MatchResult]) -> frozenset[frozenset[str]]:
    tally = tally_of(results)
    pairs = tally.adjusted_pairs or tally.pairs
    known = ((pair, estimate_per_100(sums).ci95) for pair, sums in pairs.items())
    return frozenset(frozenset(pair) for pair, ends in known if ends and not ends[0] <= 0 <= ends[1])


def equal_rows(runs: int) -> Iterator[list[str]]:
    """Yields how often any two equal bots are told apart, by format, bots and rounds."""
    kinds: dict[str, Play] = {
        "sessions of 20 deals": Sessions(20).play,
        "sessions of 1 deal": Sessions(1).play,
        f"duplicate, {DEALS} deals": Duplicate().play,
    }
    for name, play in kinds.items():
        for bots in (5, 8, 12):
            for rounds in (1, 2, 5):
                told = list(contests(play, bots, rounds, runs))
                shares = (fmean(bool(one.one_by_one) for one in told), fmean(bool(one.together) for one in told))
                yield [name, f"{bots}", f"{rounds}", *(f"{100 * share:.1f} %" for share in shares)]


def unequal_rows(runs: int) -> Iterator[str]:
    """Yields how often any of four equal bots are told apart, and how many of the unequal pairs of eight bots."""
    sessions = Sessions(20)

    def play(match: str, bots: Sequence[str], dice: Random) -> MatchResult:
        return sessions.play(match, bots, dice, [LEADS[int(bot.removeprefix("bot"))] for bot in bots])

    pairs = {frozenset((f"bot{one}", f"bot{two}")): LEADS[one] - LEADS[two] for one, two in combinations(range(8), 2)}
    same = {pair for pair, lead in pairs.items() if not lead}
    other = set(pairs) - same
    for rounds in (2, 5, 20):
        told = list(contests(play, 8, rounds, runs))
        wrong = (fmean(bool(one.one_by_one & same) for one in told), fmean(bool(one.together & same) for one in told))
        found = (fmean(len(one.one_by_one & other) for one in told), fmean(len(one.together & other) for one in told))
        shares = [*wrong, *(number / len(other) for number in found)]
        yield line([f"{rounds}", *(f"{100 * share:.1f} %" for share in shares)])


def main(arguments: Sequence[str]) -> None:
    """Plays, simulates and prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000, help="contests of each kind")
    parser.add_argument("--csv", type=Path, help="add the table of equal bots to this file")
    options = parser.parse_args(arguments)
    print(head(EQUAL_HEAD))
    for equal in equal_rows(options.runs):
        print(line(equal), flush=True)
        if options.csv:
            add_to_csv(options.csv, EQUAL_HEAD, [equal])
    print(
        "", head(("rounds", "equal, by itself", "equal, letters", "unequal, by itself", "unequal, letters")), sep="\n"
    )
    for row in unequal_rows(options.runs):
        print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
