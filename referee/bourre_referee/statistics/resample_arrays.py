"""The resamples of the bootstrap by NumPy: the same draws and, to the last bit, the same rates as in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.table_blocks import TableBlock

Array = NDArray[np.float64]


def array_resamples(
    blocks: Sequence[TableBlock], bots: Sequence[str], resamples: int, rng: Random
) -> tuple[list[float], list[list[int]], list[list[float]]]:
    """Returns what `plain_resamples` returns, as long as no resample has chips or deals of 2**53 or more."""
    sums = _BotSums(blocks, bots)
    observed: list[float] = sums.rates(np.ones(len(blocks), np.int64)).tolist()
    numbers = _numpy_random(rng)
    drawn = np.empty((resamples, len(bots)))
    for rates in drawn:
        places = (numbers.random_sample(len(blocks)) * len(blocks)).astype(np.int64)
        rates[:] = sums.rates(np.bincount(places, minlength=len(blocks)))
    return observed, [_ranks(rates) for rates in drawn], _share_above(drawn)


class _BotSums:
    """The blocks of all bots, bot after bot."""

    def __init__(self, blocks: Sequence[TableBlock], bots: Sequence[str]) -> None:
        number = {bot: place for place, bot in enumerate(bots)}
        of_bot = np.array([number[bot] for block in blocks for bot in block.bots])
        order = np.argsort(of_bot, kind="stable")
        self._starts = np.searchsorted(of_bot[order], np.arange(len(bots)))
        self._places = np.repeat(np.arange(len(blocks)), [len(block.bots) for block in blocks])[order]
        self._chips = np.array([chips for block in blocks for chips in block.chips], np.int64)[order]
        self._deals = np.array([block.deals for block in blocks], np.int64)[self._places]

    def rates(self, times: NDArray[np.int64]) -> Array:
        """Chips per deal of each bot, with each block counted so many times; 0 if none is counted."""
        weights = times[self._places]
        chips, deals = (np.add.reduceat(weights * values, self._starts) for values in (self._chips, self._deals))
        return np.divide(chips, deals, out=np.zeros(len(deals)), where=deals > 0)


def _numpy_random(rng: Random) -> np.random.RandomState:
    """Returns a generator that goes on with the numbers of this one: both are the same Mersenne Twister."""
    _, state, _ = rng.getstate()
    numbers = np.random.RandomState(0)
    numbers.set_state(("MT19937", np.array(state[:-1], np.uint32), state[-1], 0, 0.0))
    return numbers


def _ranks(rates: Array) -> list[int]:
    ranks: list[int] = (1 + (rates > rates[:, None]).sum(axis=1)).tolist()
    return ranks


def _share_above(drawn: Array) -> list[list[float]]:
    """Returns the share of the resamples in which the row's bot has more than the column's, ties counting half."""
    more = np.zeros((drawn.shape[1],) * 2)
    for rates in drawn:
        more += np.sign(rates[:, None] - rates)
    above: list[list[float]] = ((more + len(drawn)) / 2 / len(drawn)).tolist()
    return above
