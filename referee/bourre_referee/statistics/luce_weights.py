"""Luce's choice model of who takes whose chips, for all payers at once.

Arrays about tables have the shape (seats, tables), with the payers of a fit in front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.chip_flow import Flow

Array = NDArray[np.float64]

ITERATIONS = 50
MIN_WEIGHT = 1e-6
"""Keeps weights above 0, so that shares exist even if nobody takes anything."""

CELLS = 2_000_000
"""About so many numbers an array of a fit has; the payers are fitted in parts, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class _Tables:
    """Tables of one size, each set of bots once, and what each of them paid there to the others."""

    bots: NDArray[np.intp]
    """By number, of shape (seats, tables)."""
    paid: Array


def luce_weights(flows: Sequence[Flow], bots: Sequence[str]) -> dict[str, dict[str, float]]:
    """Returns by payer the weights by which the others at a table share the chips of everyone but this payer.

    Their mean is 1. Luce's choice model, fitted by Hunter's MM algorithm (Annals of Statistics 32, 2004).
    """
    number = {bot: place for place, bot in enumerate(bots)}
    flat = np.zeros(len(bots) ** 2)
    tables = []
    for line_ups, chips in _by_size(flows, number):
        pairs = line_ups[:, :, None] * len(bots) + line_ups[:, None, :]
        flat += np.bincount(pairs.ravel(), chips.ravel(), flat.size)
        tables.append(_tables(line_ups, chips.sum(axis=2)))
    taken = flat.reshape(len(bots), len(bots))
    size = max(1, CELLS // max(1, sum(of_size.bots.size for of_size in tables)))
    parts = [np.arange(first, min(first + size, len(bots))) for first in range(0, len(bots), size)]
    rows = (row.tolist() for payers in parts for row in _fit(payers, tables, taken))
    return {payer: dict(zip(bots, row, strict=True)) for payer, row in zip(bots, rows, strict=True)}


def _by_size(flows: Sequence[Flow], number: dict[str, int]) -> Iterator[tuple[NDArray[np.intp], Array]]:
    """Yields line-ups and chips of all flows with the same number of bots, without what came back to its owner."""
    for seats, same in groupby(sorted(flows, key=lambda flow: len(flow.bots)), lambda flow: len(flow.bots)):
        known = list(same)
        chips = np.array([flow.chips for flow in known], float)
        chips[:, range(seats), range(seats)] = 0
        yield np.array([[number[bot] for bot in flow.bots] for flow in known], np.intp), chips


def _tables(line_ups: NDArray[np.intp], paid: Array) -> _Tables:
    """Adds up what was paid at tables of the same bots."""
    order = np.argsort(line_ups, axis=1)
    bots, inverse = np.unique(np.take_along_axis(line_ups, order, 1), axis=0, return_inverse=True)
    columns = np.take_along_axis(paid, order, 1).T
    sums = [np.bincount(inverse.ravel(), column, len(bots)) for column in columns]
    return _Tables(np.ascontiguousarray(bots.T), np.array(sums))


def _fit(payers: NDArray[np.intp], tables: Sequence[_Tables], taken: Array) -> Array:
    """Fits the weights for these payers, whose own chips do not count."""
    all_taken = np.array([np.delete(taken, payer, axis=0).sum(axis=0) for payer in payers])
    own = [np.nonzero(of_size.bots == payers[:, None, None]) for of_size in tables]
    weights = np.ones((len(payers), len(taken)))
    for _ in range(ITERATIONS):
        expected = np.zeros_like(weights)
        for of_size, without in zip(tables, own, strict=True):
            expected += _expected(weights, of_size, without)
        paid = expected > 0
        new = np.ones_like(weights)
        np.divide(all_taken, expected, out=new, where=paid)
        new[paid] = np.maximum(new[paid], MIN_WEIGHT)
        weights = new / new.mean(axis=1, keepdims=True)
    return weights


def _expected(weights: Array, tables: _Tables, without: tuple[NDArray[np.intp], ...]) -> Array:
    """Returns for each payer's fit what each bot would take if its weight were 1."""
    per_weight = tables.paid / _sum_others(weights[:, tables.bots])
    per_weight[without] = 0
    places, shares = tables.bots.ravel(), _sum_others(per_weight)
    return np.array([np.bincount(places, of_payer.ravel(), weights.shape[1]) for of_payer in shares])


def _sum_others(values: Array) -> Array:
    """Returns for each seat the sum over all others at the table."""
    seats = range(values.shape[1])
    sums = np.zeros_like(values)
    for seat in seats:
        for other in seats:
            if other != seat:
                sums[:, seat] += values[:, other]
    return sums
