"""Measures what the fitted correction of `bourre stats --fitted` gains, and whether its intervals hold.

    .venv/bin/python research/measurements/fitted.py [--deals 120] [--runs 60]

Gains: how many times fewer deals than with the baseline alone, where it says that it helps. Coverage: contests of the
unequal bots of intervals.py, whose mean raw figures serve as the true values. research/calibration.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import fmean, median, stdev

import numpy as np
from fields import FIELDS, Field
from intervals import holds
from playings import LIMIT, MATCH, Block, play_blocks
from rows import head, line

from bourre.record import Header
from bourre.rules.deck import derive, master_seed
from bourre.rules.pot import UNIT
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.fitted_correction import FittedMatch, corrected, fit_pairs
from bourre_referee.statistics.match_sums import PairFigures, pair_figures, tally_of


def match_of(field: Field, seed: bytes, deals: int) -> FittedMatch:
    """Plays one match."""
    return as_match(field, seed, play_blocks(field.bots, LIMIT, seed, range(1, deals + 1)))


def as_match(field: Field, seed: bytes, blocks: Sequence[Block]) -> FittedMatch:
    """Puts these deals down as a match is stored."""
    names = tuple(str(bot) for bot in range(len(field.bots)))
    deals = [
        DealResult(
            tuple(map(sum, zip(*(playing.units for playing in block.playings), strict=True))),
            tuple(map(sum, zip(*(playing.lucky for playing in block.playings), strict=True))),
        )
        for block in blocks
    ]
    chips = [sum(deal.chips[bot] for deal in deals) for bot in range(len(names))]
    ranks = ranks_of(chips)
    seats = tuple(SeatResult(name, chips[bot], ranks[bot], 0, 0, 0, 0, 0) for bot, name in enumerate(names))
    header = Header("m0001", names, len(deals), seed, LIMIT, "duplicate", (0,))
    return FittedMatch(MatchResult("m0001", len(deals), seats, UNIT, tuple(deals)), header)


def fit(matches: Sequence[FittedMatch]) -> tuple[PairFigures, ...]:
    """Computes the figures of all pairs."""
    names = [seat.bot for seat in matches[0].result.seats]
    return fit_pairs(pair_figures(names, tally_of(match.result for match in matches)), matches)


def gain(pair: PairFigures) -> float:
    """Returns how many times fewer deals; 1 where it does not help."""
    return 1.0 if pair.fitted is None else (_width(pair.adjusted) / _width(pair.fitted)) ** 2


def _width(estimate: Estimate | None) -> float:
    assert estimate
    assert estimate.ci95
    return estimate.ci95[1] - estimate.ci95[0]


def gain_row(field: Field, deals: int) -> str:
    """Returns a table's row."""
    seeds = [derive(field.seed("fitted"), f"{match}") for match in range(-(-deals // MATCH))]
    pairs = fit([match_of(field, seed, min(MATCH, deals)) for seed in seeds])
    gains = [gain(pair) for pair in pairs]
    helped = sum(pair.fitted is not None for pair in pairs)
    return line([str(field), f"{helped} of {len(pairs)}", f"{median(gains):.2f}", f"{max(gains):.2f}"])


def coverage(runs: int, deals: int) -> str:
    """Returns how often intervals of pairs hold: raw, less luck, and as shown with the fit where it helps."""
    field, seed = FIELDS[1], derive(master_seed(2025), "fitted coverage")
    found = [fit([match_of(field, derive(seed, f"{run}"), deals)]) for run in range(runs)]
    held: list[list[bool]] = [[], [], []]
    for of_pair in zip(*found, strict=True):
        truth = fmean(pair.raw.chips_per_100 for pair in of_pair)
        for pair in of_pair:
            assert pair.adjusted
            for kind, estimate in zip(held, (pair.raw, pair.adjusted, pair.fitted or pair.adjusted), strict=True):
                kind.append(holds(estimate, truth))
    return line([f"{runs}", *(f"{100 * fmean(kind):.1f} %" for kind in held)])


def planted(contests: int = 4000) -> str:
    """Returns coverage and mean over simulated contests of 100 deals: true difference 2, eight true effects."""
    dice = np.random.default_rng(7)
    means, held = [], []
    for _ in range(contests):
        columns = dice.normal(size=(100, 8))
        left = corrected(2 + columns @ np.linspace(-2, 2, 8) + dice.normal(size=100) * 4, columns)
        means.append(float(left.mean()))
        held.append(float(abs(left.mean() - 2) < 1.984 * left.std(ddof=1) / 10))
    reach = 1.96 * stdev(means) / contests**0.5
    return (
        f"planted: {100 * fmean(held):.1f} % of {contests} intervals hold; mean {fmean(means):.3f} ± {reach:.3f} for 2"
    )


def main(arguments: Sequence[str]) -> None:
    """Prints gains by table, and coverage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=120, help="deals of each table and contest")
    parser.add_argument("--runs", type=int, default=60, help="contests whose intervals are counted")
    asked = parser.parse_args(arguments)
    print(planted(), "", sep="\n")
    print(head(("table", "helps", "median", "most")))
    for field in FIELDS:
        if not field.slow:
            print(gain_row(field, asked.deals), flush=True)
    print("", head(("contests", "raw", "less luck", "fitted")), coverage(asked.runs, asked.deals), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
