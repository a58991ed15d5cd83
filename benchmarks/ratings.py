"""Times the ratings and the field model of many made-up matches: `python benchmarks/ratings.py [MATCHES BOTS]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from time import process_time

from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.ratings import rate
from bourre_referee.ratings.in_order import rate_in_order
from bourre_referee.statistics.field_rows import FieldRows
from bourre_referee.statistics.field_verdict import judge_field
from bourre_referee.statistics.ranking import INNER_LEVEL

SEATS = 7
DEALS = 50


def make_matches(matches: int, bots: int, rng: Random) -> Iterator[MatchResult]:
    """Yields matches of bots, of which later ones are better, with luck larger than the steps between them."""
    names = [f"b{number:02}" for number in range(bots)]
    for number in range(1, matches + 1):
        line_up = rng.sample(range(bots), SEATS)
        chips = [round(rng.gauss(2 * skill, 40)) for skill in line_up]
        chips[-1] -= sum(chips)
        seats = [
            SeatResult(names[skill], won, rank, wins=0, bourres=0, reneges=0, faults=0, house_deals=0)
            for skill, won, rank in zip(line_up, chips, ranks_of(chips), strict=True)
        ]
        yield MatchResult(f"m{number:05}", DEALS, tuple(seats))


def main() -> None:
    """Rates them in both ways and judges them by the field model, and prints the processor seconds of each."""
    matches, bots = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (10_000, 20)
    results = list(make_matches(matches, bots, Random(1)))
    names = sorted({seat.bot for match in results for seat in match.seats})
    print(f"{matches} matches of {SEATS} seats, {bots} bots")
    rows, began = FieldRows(), process_time()
    for number, match in enumerate(results):
        rows.add(match, number)
    added, began = process_time() - began, process_time()
    judge_field(rows, names, INNER_LEVEL)
    print(f"  field model: {process_time() - began:.2f} s, after {added:.2f} s to add the matches", flush=True)
    for way, ratings in (("all at once", rate), ("one pass", rate_in_order)):
        began = process_time()
        ratings(results, names)
        print(f"  {way}: {process_time() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
