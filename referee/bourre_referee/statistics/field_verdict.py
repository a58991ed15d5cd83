"""What a contest shows about its bots: their order, who is told apart, and how many more matches that takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from bourre_referee.statistics.estimates import divide
from bourre_referee.statistics.field_model import FieldBlocks, FieldModel, fit
from bourre_referee.statistics.field_rows import FieldRow, FieldRows
from bourre_referee.statistics.pair_tests import (
    Apart,
    PairTests,
    brackets,
    compare_pairs,
    comparison_intervals,
    spanned,
)

DECIMALS = 4
"""The decimals of an effect: few enough to be the same everywhere."""

SMALLEST_GAP = 1e-6
"""Smaller differences of effects count as this, so that no prediction divides by 0."""

STEPS = 8
"""How often a prediction is refined: more matches bring more degrees of freedom, which need fewer matches."""

MAX_MORE = 100_000
"""Nobody plays more matches than this, so larger predictions are not made."""


@dataclass(frozen=True, slots=True)
class FieldVerdict:
    """The bots of a contest that have played, best first, by their effects over this field."""

    effects: Mapping[str, float]
    """Chips per 100 deals above the mean of the field, best first."""
    intervals: Mapping[str, tuple[float, float]]
    """Comparison intervals: two overlap exactly if their bots share a bracket. Without the bots that have none."""
    brackets: tuple[tuple[str, ...], ...]
    """Neighbours that are not told apart, two or more in each, best first."""
    too_few: tuple[str, ...]
    """The bots with fewer than two blocks, which nothing tells apart from others. They come last."""
    matches_to_part: Mapping[str, int | None]
    """How many more matches would part each bot from the next, if play goes on alike. 0: they are apart."""


def judge_field(rows: FieldRows, bots: Sequence[str], level: float) -> FieldVerdict:
    """Judges these bots, which are in a fixed order, by all blocks. `level` is that of the tests of all pairs."""
    model = _fit(rows, bots)
    played = [place for place, blocks in enumerate(model.blocks[: len(bots)]) if blocks]
    mean = sum(float(model.effects[place]) for place in played) / max(1, len(played))
    effects = {place: round(float(model.effects[place]) - mean, DECIMALS) + 0.0 for place in played}
    order = sorted(played, key=lambda place: (model.blocks[place] < 2, -effects[place], bots[place]))
    tested = [place for place in order if model.blocks[place] > 1]
    tests = compare_pairs(model.of(tested), level)
    apart = spanned(tests.apart)
    ranked = [effects[place] for place in tested]
    intervals = comparison_intervals(ranked, tests.margins(), apart) if len(tested) > 1 else []
    return FieldVerdict(
        {bots[place]: effects[place] for place in order},
        {
            bots[place]: (round(each.low, DECIMALS), round(each.high, DECIMALS))
            for place, each in zip(tested, intervals, strict=False)
        },
        tuple(tuple(bots[tested[number]] for number in bracket) for bracket in brackets(apart)),
        tuple(bots[place] for place in order if model.blocks[place] < 2),
        {
            bots[place]: more
            for place, more in zip(tested, _matches_to_part(ranked, tests, apart, len(rows.matches)), strict=False)
        },
    )


def _fit(rows: FieldRows, bots: Sequence[str]) -> FieldModel:
    """Fits the model to all blocks. After these bots, in this order, come no-shows and the stand-in."""
    matches = rows.matches if rows.deals is None else rows.deals
    others = sorted({entrant for row in matches.values() for entrant in row.entrants}.difference(bots))
    places = {bot: place for place, bot in enumerate((*bots, *others))}
    by_size: dict[int, list[FieldRow]] = {}
    for number in sorted(matches):
        by_size.setdefault(len(matches[number].entrants), []).append(matches[number])
    tables = [_table(by_size[size], places) for size in sorted(by_size)]
    return fit(tables, len(places), divide(100 * rows.step, rows.parts))


def _table(rows: Sequence[FieldRow], places: Mapping[str, int]) -> FieldBlocks:
    """Returns the blocks of matches at tables of one size, with the places of their bots in the model."""
    blocks = [len(row.chips) for row in rows]
    bots = np.array([[places[entrant] for entrant in row.entrants] for row in rows], np.int64)
    return FieldBlocks(np.repeat(bots, blocks, axis=0), np.array([chips for row in rows for chips in row.chips]))


def _matches_to_part(effects: Sequence[float], tests: PairTests, apart: Apart, matches: int) -> Iterator[int | None]:
    """Predicts how many more matches part each bot from the next, if effects and errors stay as they are.

    Two neighbours are parted once every pair that spans them is. Yields nothing for the last bot.
    """
    gaps = np.maximum(np.subtract.outer(np.array(effects), np.array(effects)), SMALLEST_GAP)
    times = np.ones_like(gaps)
    for _ in range(STEPS):
        with np.errstate(over="ignore"):
            needed = np.minimum(tests.margins(times) * np.sqrt(times) / gaps, MAX_MORE)
        times = np.maximum(needed * needed, 1.0)
    worst = np.maximum.accumulate(np.maximum.accumulate(times, axis=0)[:, ::-1], axis=1)[:, ::-1]
    for place in range(len(effects) - 1):
        more = matches * (float(worst[place, place + 1]) - 1.0)
        yield 0 if apart[place, place + 1] else max(1, ceil(more)) if more <= MAX_MORE else None
