"""What a contest shows about its bots: their order, who is told apart, and how many more matches that takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf

import numpy as np

from bourre_referee.statistics.estimates import divide
from bourre_referee.statistics.field_model import FieldModel, Places, Tables, fit
from bourre_referee.statistics.field_rows import Columns, FieldRows
from bourre_referee.statistics.fixed_order import Floats
from bourre_referee.statistics.pair_tests import (
    Apart,
    brackets,
    compare_pairs,
    comparison_intervals,
    spanned,
)

DECIMALS = 4
"""The decimals of an effect: few enough to be the same everywhere."""

MAX_MORE = 10**9
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
    matches = sum(len(columns.matches) for columns in rows.matches.values())
    mean = sum(float(model.effects[place]) for place in played) / max(1, len(played))
    effects = {place: round(float(model.effects[place]) - mean, DECIMALS) + 0.0 for place in played}
    order = sorted(played, key=lambda place: (model.blocks[place] < 2, -effects[place], bots[place]))
    tested = [place for place in order if model.blocks[place] > 1]
    apart, margins = _tests(model, tested, level)
    ranked = [effects[place] for place in tested]
    intervals = comparison_intervals(ranked, margins, apart) if len(tested) > 1 else []
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
            for place, more in zip(tested, _matches_to_part(ranked, margins, apart, matches), strict=False)
        },
    )


def _fit(rows: FieldRows, bots: Sequence[str]) -> FieldModel:
    """Fits the model to all blocks. After these bots, in this order, come no-shows and the stand-in."""
    others = sorted(frozenset(rows.entrants).difference(bots))
    numbers = {bot: number for number, bot in enumerate((*bots, *others))}
    places = np.array([numbers[entrant] for entrant in rows.entrants], np.int64)
    blocks = [rows.matches[size] for size in sorted(rows.matches)] if rows.deals is None else [rows.deals]
    tables = [_table(columns, places) for columns in blocks if columns.matches]
    return fit(tables, len(numbers), divide(100 * rows.step, rows.parts))


def _table(columns: Columns, places: Places) -> Tables:
    """Returns the blocks in the order of the schedule, with these places in the model for their entrants."""
    order = np.argsort(np.frombuffer(columns.matches, np.int64), kind="stable")
    entrants = np.frombuffer(columns.entrants, np.int64).reshape(len(order), -1)[order]
    return Tables(places[entrants], np.frombuffer(columns.chips, np.float64).reshape(len(order), -1)[order])


def _tests(model: FieldModel, places: Sequence[int], level: float) -> tuple[Apart, Floats]:
    """Returns which of these bots are told apart from each other, and the margins."""
    tests = compare_pairs(model.of(places), level)
    return spanned(tests.apart), tests.margins


def _matches_to_part(effects: Sequence[float], margins: Floats, apart: Apart, matches: int) -> Iterator[int | None]:
    """Predicts how many more matches part each bot from the next: margins shrink with the root of their number.

    Two neighbours are parted once every pair that spans them is. Yields nothing for the last bot.
    """
    gaps = np.subtract.outer(np.array(effects), np.array(effects))
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(gaps > 0.0, (margins / gaps) ** 2, inf)
    worst = np.maximum.accumulate(np.maximum.accumulate(times, axis=0)[:, ::-1], axis=1)[:, ::-1]
    for place in range(len(effects) - 1):
        more = matches * (float(worst[place, place + 1]) - 1.0)
        yield 0 if apart[place, place + 1] else max(1, ceil(more)) if more <= MAX_MORE else None
