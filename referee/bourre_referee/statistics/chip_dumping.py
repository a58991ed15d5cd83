"""Tests for chip dumping: does one bot pay another more than its play at other tables explains?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from math import ceil, log
from random import Random
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.pair_findings import PairFlow, in_order
from bourre_referee.statistics.played_deals import Flow

Array = NDArray[np.float64]

ITERATIONS = 50
MIN_WEIGHT = 1e-6
"""Keeps weights above 0, so that shares exist even if nobody takes anything."""

CELLS = 2_000_000
"""The approximate size of an array in a fit. Payers are fitted in parts, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class _Tables:
    """All line-ups of one size, and the chips that their bots paid to each other."""

    bots: NDArray[np.intp]
    """By number, of shape (seats, tables)."""
    paid: Array


def luce_weights(flows: Sequence[Flow], bots: Sequence[str]) -> dict[str, dict[str, float]]:
    """Returns by payer the weights by which the others at a table share all chips but this payer's.

    Their mean is 1. The weights follow Luce's choice model, fitted by Hunter's MM algorithm (Annals of Statistics 32,
    2004).
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
    """Yields the line-ups and chips of all flows by number of bots, without the chips that returned to their owner."""
    for seats, same in groupby(sorted(flows, key=lambda flow: len(flow.bots)), lambda flow: len(flow.bots)):
        known = list(same)
        chips = np.array([flow.chips for flow in known], float)
        chips[:, range(seats), range(seats)] = 0
        yield np.array([[number[bot] for bot in flow.bots] for flow in known], np.intp), chips


def _tables(line_ups: NDArray[np.intp], paid: Array) -> _Tables:
    """Adds up the payments at tables of the same bots."""
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
    """Returns, for each payer's fit, the chips that each bot would take if its weight were 1."""
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


ALLOWANCE = 1.25
"""Honest bots of different styles pay each other up to this many times the expected flow (see docs/statistics.md)."""

PERMUTATIONS = 9_999
MAX_EXCEEDANCES = 20
"""The test ends after this many permutations with at least the observed flow. By then p is known well enough."""

MAX_UNITS = 400
"""Blocks of one line-up are merged until a payer has about this many units at most."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """The payments of one bot at one table, the unit of the permutations."""

    deals: int
    bots: tuple[str, ...]
    """The others at the table."""
    chips: tuple[float, ...]
    """The amount paid to each of them."""


def find_dumping(flows: Sequence[Flow], bots: Sequence[str], seed: int = 0) -> list[PairFlow]:
    """Tests every ordered pair that met, and sorts by the p-value. The same flows and seed give the same findings.

    Payments are divided by the deals and by the taker's weight (`luce_weights`). By that measure, a bot that treats all
    alike pays a taker on average as much as it pays the others at tables without that taker. A permutation test asks
    whether it pays more than ALLOWANCE times that amount: it shuffles which of the payer's tables have the taker.
    """
    weights, blocks = luce_weights(flows, bots), _blocks_of(flows)
    found = [pair for payer in bots for pair in _pairs(payer, _units(payer, blocks[payer]), weights[payer], seed)]
    return in_order(found)


def _blocks_of(flows: Iterable[Flow]) -> Mapping[str, Sequence[Sequence[Flow]]]:
    """Returns each bot's blocks, by the line-up."""
    by_line_up: defaultdict[tuple[str, ...], list[Flow]] = defaultdict(list)
    for flow in flows:
        by_line_up[flow.bots].append(flow)
    by_bot: defaultdict[str, list[Sequence[Flow]]] = defaultdict(list)
    for bots, blocks in by_line_up.items():
        for bot in bots:
            by_bot[bot].append(blocks)
    return by_bot


def _pairs(payer: str, units: Sequence[_Unit], weights: dict[str, float], seed: int) -> Iterator[PairFlow]:
    means = [_mean_payment(unit, weights) for unit in units]
    places: defaultdict[str, set[int]] = defaultdict(set)
    for place, unit in enumerate(units):
        for bot in unit.bots:
            places[bot].add(place)
    for taker in weights:
        if here := places.get(taker):
            together = [units[place] for place in sorted(here)]
            apart = [mean for place, mean in enumerate(means) if place not in here]
            yield _pair(payer, taker, together, apart, weights[taker], Random(f"{seed} {payer} {taker}"))


def _units(payer: str, own: Sequence[Sequence[Flow]]) -> list[_Unit]:
    """Returns the payer's tables from its blocks by the line-up. Blocks of one are merged if there are too many."""
    size = -(-sum(map(len, own)) // MAX_UNITS)
    return [_unit(payer, blocks[first : first + size]) for blocks in own for first in range(0, len(blocks), size)]


def _unit(payer: str, blocks: Sequence[Flow]) -> _Unit:
    bots = blocks[0].bots
    row = bots.index(payer)
    others = [column for column in range(len(bots)) if column != row]
    chips = tuple(sum(block.chips[row][column] for block in blocks) for column in others)
    return _Unit(sum(block.deals for block in blocks), tuple(bots[column] for column in others), chips)


def _pair(
    payer: str, taker: str, together: Sequence[_Unit], apart: Sequence[float], weight: float, rng: Random
) -> PairFlow:
    """Tests a pair by the units of both, and by the payer's mean payments at tables without the taker."""
    deals = sum(unit.deals for unit in together)
    paid = [unit.chips[unit.bots.index(taker)] for unit in together]
    per_100 = 100 * sum(paid) / deals
    if not any(apart):
        return PairFlow(payer, taker, deals, per_100, None, None, None)
    here = [chips / unit.deals / weight for chips, unit in zip(paid, together, strict=True)]
    p = permutation_p_value([value / ALLOWANCE for value in here], apart, rng)
    return PairFlow(payer, taker, deals, per_100, 100 * fmean(apart) * weight, p, p)


def _mean_payment(unit: _Unit, weights: dict[str, float]) -> float:
    """Returns the mean payment to each of the others at a table, per deal and weight."""
    return fmean(chips / unit.deals / weights[bot] for bot, chips in zip(unit.bots, unit.chips, strict=True))


def permutation_p_value(sample: Sequence[float], others: Sequence[float], rng: Random) -> float:
    """Returns the one-sided p-value of a permutation test that the mean of `sample` exceeds that of `others`.

    The test is sequential (Besag and Clifford, Biometrika 78, 1991). It ends once MAX_EXCEEDANCES permutations were as
    large.
    """
    pool = [*sample, *others]
    observed = sum(sample) * (1 - 1e-12)  # sums in another order may differ in the last digit
    exceedances = 0
    for number in range(1, PERMUTATIONS + 1):
        chosen = sample_places(rng, len(pool), len(sample))
        exceedances += sum(map(pool.__getitem__, chosen)) >= observed
        if exceedances == MAX_EXCEEDANCES:
            return exceedances / number
    return (exceedances + 1) / (PERMUTATIONS + 1)


def sample_places(rng: Random, population: int, size: int) -> Iterable[int]:
    """Returns the same as `rng.sample(range(population), size)`, by the same draws in a third of the time."""
    if size < 6 or population <= 21 + 4 ** ceil(log(3 * size, 4)):  # for these few, `sample` draws in another way
        return rng.sample(range(population), size)
    chosen: dict[int, None] = {}
    bits = population.bit_length()
    while missing := size - len(chosen):
        drawn = map(rng.getrandbits, repeat(bits, missing))
        chosen |= dict.fromkeys(filter(population.__gt__, drawn))
    return chosen
