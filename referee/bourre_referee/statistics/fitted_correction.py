"""A correction for the luck of the cards that is fitted to the contest's own deals: least squares, crosswise.

The deals of a pair are split into folds, and each fold is corrected by what fits the others, so that no deal chooses
its own correction. All that is subtracted has mean 0 whatever was fitted: the luck by the baseline, and facts of the
first hands less those of other decks. It serves `bourre stats` alone: no headline figure, rating or stop uses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bourre.record import Header
from bourre_referee.luck import COEFFICIENT, ORDERS
from bourre_referee.luck.counterfactual_deals import other_cards
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, Estimate, estimate_per_100
from bourre_referee.statistics.match_sums import PairFigures

Array = NDArray[np.float64]

FOLDS = 5
LEAST_DEALS = 100
"""With fewer deals a fit finds little but noise."""
OTHER_DECKS = 24
RIDGE = 20.0
"""As if so many deals had shown no effect of a fact; those of a deal are scaled to variance 1."""
WORTHWHILE = 0.95
"""A correction helps if it makes the interval narrower than this times the adjusted one."""

_FACTS = 13
_PARTS = 10**6
"""Corrected chips are rounded to so many parts."""


@dataclass(frozen=True, slots=True)
class FittedMatch:
    """A match of format `duplicate` with its header, from which all its cards follow."""

    result: MatchResult
    header: Header


def deal_facts(header: Header, deal: int) -> list[float]:
    """Returns what marks the first hands of a deal, less the same of other decks: the mean of each is 0."""
    real = np.array(_facts_of(header, f"deck {deal}"))
    others = [_facts_of(header, f"fitted {deal} {number}") for number in range(1, OTHER_DECKS + 1)]
    found: list[float] = (real - np.mean(others, axis=0)).tolist()
    return found


def _facts_of(header: Header, label: str) -> list[float]:
    """Sums each fact over the hands, and once more weighted by their place from the dealer's left."""
    seats = len(header.bots)
    facts = other_cards(seats, header.seed, label, header.house).facts
    by_hand = np.array([[hand >> number & 1 for number in range(_FACTS)] for hand in facts], dtype=float)
    places = np.arange(seats) - (seats - 1) / 2
    return [*by_hand.sum(axis=0).tolist(), *(places @ by_hand).tolist()]


def fit_pairs(pairs: Sequence[PairFigures], matches: Sequence[FittedMatch]) -> tuple[PairFigures, ...]:
    """Adds to each pair its fitted figure, where that helps."""
    facts = {
        id(match): [deal_facts(match.header, deal + 1) for deal in range(len(match.result.blocks))] for match in matches
    }
    return tuple([replace(pair, fitted=_fit(pair, matches, facts)) for pair in pairs])


def _fit(
    pair: PairFigures, matches: Sequence[FittedMatch], facts: Mapping[int, Sequence[Sequence[float]]]
) -> Estimate | None:
    rows = [row for match in matches for row in _rows(pair, match, facts[id(match)])]
    if pair.adjusted is None or len(rows) < LEAST_DEALS:
        return None
    table = np.array([row for row, _ in rows])
    left = corrected(table[:, 0], table[:, 1:])
    blocks = [Block(round(_PARTS * chips), deals) for chips, (_, deals) in zip(left.tolist(), rows, strict=True)]
    found = estimate_per_100(blocks, _PARTS)
    return found if _width(found) < WORTHWHILE * _width(pair.adjusted) else None


def _rows(pair: PairFigures, match: FittedMatch, facts: Sequence[Sequence[float]]) -> Iterator[tuple[list[float], int]]:
    """Yields each deal's difference less luck, in chips, then the luck of both and the facts, and its playings."""
    result = match.result
    names = [seat.bot for seat in result.seats]
    if pair.one not in names or pair.other not in names:
        return
    one, other = names.index(pair.one), names.index(pair.other)
    for block, of_deal in zip(result.blocks, facts, strict=True):
        mine, theirs = (block.luck[bot] * COEFFICIENT / ORDERS / result.unit for bot in (one, other))
        raw = (block.chips[one] - block.chips[other]) / result.unit
        yield [raw - mine + theirs, mine, theirs, *of_deal], len(names)


def corrected(values: Array, columns: Array) -> Array:
    """Returns the values less what fits those of the other folds; the columns must have mean 0 by themselves."""
    spread = columns.std(axis=0)
    scaled = columns[:, spread > 0] / spread[spread > 0]
    fold = np.arange(len(values)) % FOLDS
    left = values.copy()
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        x, y = scaled[train], values[train] - values[train].mean()
        weights = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)
        left[test] -= scaled[test] @ weights
    return left


def _width(estimate: Estimate) -> float:
    return estimate.ci95[1] - estimate.ci95[0] if estimate.ci95 else float("inf")
