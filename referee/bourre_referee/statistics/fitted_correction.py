"""Corrects for the luck of the cards with a fit to the contest's own deals: least squares, cross-validated.

The deals of a pair are split into folds. Each fold is corrected by a fit to the other folds, so no deal influences its
own correction. Everything that is subtracted has mean 0, whatever the fit: the luck by the baseline, and facts of the
first hands less the same facts of other decks. Only `bourre stats` uses it: no standing, rating or stopping rule does.
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
"""With fewer deals, a fit finds little but noise."""
OTHER_DECKS = 24
RIDGE = 20.0
"""The ridge: as many deals as if a fact had no effect in them. The facts of a deal are scaled to variance 1."""
WORTHWHILE = 0.95
"""A correction helps if it makes the interval narrower than this times the adjusted one."""

_FACTS = 13
_PARTS = 10**6
"""Corrected chips are rounded to this many parts."""


@dataclass(frozen=True, slots=True)
class FittedMatch:
    """A match of format `duplicate` with its header, which determines all its cards."""

    result: MatchResult
    header: Header


def deal_facts(header: Header, deal: int) -> list[float]:
    """Returns facts of the first hands of a deal, less the same facts of other decks, so that each has mean 0."""
    real = np.array(_facts_of(header, f"deck {deal}"))
    others = [_facts_of(header, f"fitted {deal} {number}") for number in range(1, OTHER_DECKS + 1)]
    found: list[float] = (real - np.mean(others, axis=0)).tolist()
    return found


def _facts_of(header: Header, label: str) -> list[float]:
    """Sums each fact over the hands, and again weighted by their place from the dealer's left."""
    seats = len(header.bots)
    facts = other_cards(seats, header.seed, label, header.house).facts
    by_hand = np.array([[hand >> number & 1 for number in range(_FACTS)] for hand in facts], dtype=float)
    places = np.arange(seats) - (seats - 1) / 2
    return [*by_hand.sum(axis=0).tolist(), *(places @ by_hand).tolist()]


def fit_pairs(pairs: Sequence[PairFigures], matches: Sequence[FittedMatch]) -> tuple[PairFigures, ...]:
    """Adds its fitted figure to each pair, if the correction helps."""
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
    """Yields a row for each deal (the difference less luck in chips, both lucks, the facts), and its playings."""
    result = match.result
    names = [seat.bot for seat in result.seats]
    if pair.one not in names or pair.other not in names:
        return
    one, other = names.index(pair.one), names.index(pair.other)
    for block, of_deal in zip(result.blocks, facts, strict=True):
        mine, theirs = (block.luck_of(bot) * COEFFICIENT / ORDERS / result.unit for bot in (one, other))
        raw = (block.chips[one] - block.chips[other]) / result.unit
        yield [raw - mine + theirs, mine, theirs, *of_deal], len(names)


def corrected(values: Array, columns: Array) -> Array:
    """Returns the values, each less the fit to the other folds. The columns must have mean 0 on their own."""
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
