"""Estimates how certain a ranking is, by the bootstrap over blocks of whole tables (Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, adjusted_blocks_of, blocks_of

MAX_BLOCKS = 2_000
"""The deals of each duplicate match are merged into about this many blocks at most."""


@dataclass(frozen=True, slots=True)
class TableBlock:
    """One block, with the chips of every bot at the table."""

    bots: tuple[str, ...]
    chips: tuple[int, ...]
    """By bot, in parts of a chip. All blocks use the same parts."""
    deals: int
    """How many deals each bot played."""


def table_blocks(results: Sequence[MatchResult], adjusted: bool = False) -> list[TableBlock]:
    """Returns the blocks of these matches. `adjusted` subtracts the luck of the draw, which must be known."""
    size = -(-sum(max(1, len(match.blocks)) for match in results) // MAX_BLOCKS)
    return [
        _merge(match, rows[first : first + size])
        for match in results
        for rows in [list(_rows(match, adjusted))]
        for first in range(0, len(rows), size)
    ]


def _rows(match: MatchResult, adjusted: bool) -> Iterator[tuple[Block, ...]]:
    """Yields for each block of a match the blocks of its seats."""
    of_seat = adjusted_blocks_of if adjusted else blocks_of
    return zip(*(of_seat(match, seat) for seat in range(len(match.seats))), strict=True)


def _merge(match: MatchResult, rows: Sequence[tuple[Block, ...]]) -> TableBlock:
    chips = tuple(sum(block.chips for block in of_seat) for of_seat in zip(*rows, strict=True))
    return TableBlock(tuple(seat.bot for seat in match.seats), chips, sum(row[0].deals for row in rows))


RESAMPLES = 1_000
TAIL = 0.025
"""The share of the resamples on either side of a 95 % interval."""

MAX_CHIPS = 10**300
"""Chips are limited to this amount, because a pot without a limit overflows floats."""

Array = NDArray[np.float64]
Whole = NDArray[Any]
"""Whole numbers: of 64 bits, or of any size if floats would round their sums."""


@dataclass(frozen=True, slots=True)
class BotRank:
    """The rank of one bot by chips per 100 deals."""

    bot: str
    rank: int
    """The observed rank. 1 is best, and equal chips have equal rank."""
    interval: tuple[int, int]
    """The 95 % percentile interval of the rank."""
    again: float
    """The share of resamples in which the bot had this rank."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking, and how often the resamples confirm it."""

    ranks: tuple[BotRank, ...]
    """Best first."""
    above: tuple[tuple[float, ...], ...]
    """The share of resamples in which the row's bot had more chips than the column's. Ties count half."""
    again: float
    """The share of resamples in which all ranks were as observed."""
    blocks: int
    resamples: int


def bootstrap_ranking(
    blocks: Sequence[TableBlock], seed: int = 0, resamples: int = RESAMPLES, absent: Collection[str] = ()
) -> Ranking | None:
    """Ranks all bots in these blocks except the absent ones. None with fewer than two blocks, or without bots.

    The same blocks and seed give the same ranking.

    Every resample draws as many blocks as were played, with replacement. A block is drawn with all its bots.
    """
    bots = sorted({bot for block in blocks for bot in block.bots if bot not in absent})
    if len(blocks) < 2 or not bots:
        return None
    sums = _BotSums(blocks, bots)
    observed = sums.rates(np.ones(len(blocks), np.int64))
    drawn = np.array([sums.rates(times) for times in _resample(len(blocks), resamples, Random(seed))])
    order = sorted(range(len(bots)), key=lambda bot: (-observed[bot], bots[bot]))
    ranks, ranks_drawn = _ranks(observed), [_ranks(rates) for rates in drawn]
    above = _share_above(drawn)
    return Ranking(
        ranks=tuple(_bot_rank(bots[bot], ranks[bot], sorted(each[bot] for each in ranks_drawn)) for bot in order),
        above=tuple(tuple(above[one][other] for other in order) for one in order),
        again=ranks_drawn.count(ranks) / resamples,
        blocks=len(blocks),
        resamples=resamples,
    )


class _BotSums:
    """The blocks of all these bots, one bot after the other."""

    def __init__(self, blocks: Sequence[TableBlock], bots: Sequence[str]) -> None:
        number = {bot: place for place, bot in enumerate(bots)}
        seats = [(number[bot], place) for place, block in enumerate(blocks) for bot in block.bots if bot in number]
        seats.sort()
        self._places = np.array([place for _, place in seats])
        self._starts = np.searchsorted([bot for bot, _ in seats], np.arange(len(bots)))
        chips = [blocks[place].chips[blocks[place].bots.index(bots[bot])] for bot, place in seats]
        self._is_exact = max(map(abs, chips)) * len(blocks) < 2**53
        self._chips: Whole = np.array(chips, np.int64 if self._is_exact else object)
        self._deals = np.array([blocks[place].deals for _, place in seats], np.int64)

    def rates(self, times: NDArray[np.int64]) -> Array:
        """Returns the chips per deal of each bot, with each block counted `times` times, or 0 if no block counts."""
        weights = times[self._places]
        chips, deals = (np.add.reduceat(weights * values, self._starts) for values in (self._chips, self._deals))
        if not self._is_exact:
            chips = np.minimum(np.maximum(chips, -MAX_CHIPS), MAX_CHIPS)
        return np.divide(chips, deals, out=np.zeros(len(deals)), where=deals > 0, casting="unsafe")


def _resample(blocks: int, resamples: int, rng: Random) -> Iterator[NDArray[np.int64]]:
    """Yields how many times each resample has each block, by the numbers that `rng.choices` would draw."""
    _, state, _ = rng.getstate()
    numbers = np.random.RandomState(0)
    numbers.set_state(("MT19937", np.array(state[:-1], np.uint32), state[-1], 0, 0.0))
    for _ in range(resamples):
        places = (numbers.random_sample(blocks) * blocks).astype(np.int64)
        yield np.bincount(places, minlength=blocks)


def _ranks(rates: Array) -> list[int]:
    """Ranks the rates from 1. Equal rates have equal ranks."""
    ranks: list[int] = (1 + (rates > rates[:, None]).sum(axis=1)).tolist()
    return ranks


def _bot_rank(bot: str, rank: int, drawn: Sequence[int]) -> BotRank:
    """Returns the rank with its interval. The drawn ranks are in ascending order."""
    cut = ceil(TAIL * len(drawn)) - 1
    return BotRank(bot, rank, (drawn[cut], drawn[-1 - cut]), drawn.count(rank) / len(drawn))


def _share_above(drawn: Array) -> list[list[float]]:
    """Returns the share of resamples in which the row's bot has more chips than the column's. Ties count half."""
    more = np.zeros((drawn.shape[1],) * 2)
    for rates in drawn:
        more += np.sign(rates[:, None] - rates)
    above: list[list[float]] = ((more + len(drawn)) / 2 / len(drawn)).tolist()
    return above
