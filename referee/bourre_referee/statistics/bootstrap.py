"""How certain a ranking is, by the bootstrap over blocks (Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from operator import mul
from random import Random

from bourre_referee.statistics.table_blocks import TableBlock

RESAMPLES = 1_000
TAIL = 0.025
"""The share of the resamples on either side of a 95 % interval."""

PARALLEL_FROM = 200_000
"""From so many blocks in all resamples on, NumPy takes less time than it takes to load."""

MAX_CHIPS = 10**300
"""Chips are cut off here: a pot without a limit overflows floats."""


@dataclass(frozen=True, slots=True)
class BotRank:
    """The rank of one bot by chips per 100 deals."""

    bot: str
    rank: int
    """The rank observed; 1 is best, and equal chips have equal rank."""
    interval: tuple[int, int]
    """The percentile interval of the rank, 95 %."""
    again: float
    """The share of resamples in which the bot had this very rank."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking with what its resamples say."""

    ranks: tuple[BotRank, ...]
    """Best first."""
    above: tuple[tuple[float, ...], ...]
    """The share of resamples in which the row's bot had more than the column's, ties counting half; best first."""
    again: float
    """The share of resamples in which all ranks were as observed."""
    blocks: int
    resamples: int


def bootstrap_ranking(
    blocks: Sequence[TableBlock], seed: int = 0, resamples: int = RESAMPLES, absent: Collection[str] = ()
) -> Ranking | None:
    """Ranks all bots in these blocks but the absent ones; None with fewer than two blocks, or without bots.

    The same blocks and seed give the same ranking.

    Every resample draws as many blocks as were played, with replacement; all bots of a block come together.
    """
    bots = sorted({bot for block in blocks for bot in block.bots if bot not in absent})
    if len(blocks) < 2 or not bots:
        return None
    observed, drawn, above = _resamples_of(blocks, bots, resamples, Random(seed))
    order = sorted(range(len(bots)), key=lambda bot: (-observed[bot], bots[bot]))
    ranks = _ranks(observed)
    return Ranking(
        ranks=tuple(_bot_rank(bots[bot], ranks[bot], [of_all[bot] for of_all in drawn]) for bot in order),
        above=tuple(tuple(above[one][other] for other in order) for one in order),
        again=drawn.count(ranks) / resamples,
        blocks=len(blocks),
        resamples=resamples,
    )


Resamples = tuple[list[float], list[list[int]], list[list[float]]]
"""The rates observed, the ranks in every resample, and how often each bot was above each other; all by bot."""


def _resamples_of(blocks: Sequence[TableBlock], bots: Sequence[str], resamples: int, rng: Random) -> Resamples:
    if len(blocks) * resamples < PARALLEL_FROM or not _is_exact_in_floats(blocks):
        return plain_resamples(blocks, bots, resamples, rng)
    from bourre_referee.statistics.resample_arrays import array_resamples

    return array_resamples(blocks, bots, resamples, rng)


def _is_exact_in_floats(blocks: Sequence[TableBlock]) -> bool:
    """Returns whether no resample has chips or deals that a float would round."""
    largest = max(max(block.deals, *map(abs, block.chips)) for block in blocks)
    return largest * len(blocks) < 2**53


def plain_resamples(blocks: Sequence[TableBlock], bots: Sequence[str], resamples: int, rng: Random) -> Resamples:
    """Draws all resamples without NumPy, from whole numbers of any size."""
    columns = [_BotBlocks(bot, blocks) for bot in bots]
    observed = [column.rate([1] * len(blocks)) for column in columns]
    drawn = [[column.rate(times) for column in columns] for times in _resample(len(blocks), resamples, rng)]
    above = [[_share_above(drawn, one, other) for other in range(len(bots))] for one in range(len(bots))]
    return observed, [_ranks(rates) for rates in drawn], above


class _BotBlocks:
    """The blocks of one bot."""

    def __init__(self, bot: str, blocks: Sequence[TableBlock]) -> None:
        self._places = [place for place, block in enumerate(blocks) if bot in block.bots]
        self._chips = [blocks[place].chips[blocks[place].bots.index(bot)] for place in self._places]
        self._deals = [blocks[place].deals for place in self._places]

    def rate(self, times: Sequence[int]) -> float:
        """Chips per deal, with each block counted so many times; 0 if none is counted."""
        weights = [times[place] for place in self._places]
        chips, deals = sum(map(mul, weights, self._chips)), sum(map(mul, weights, self._deals))
        return min(max(chips, -MAX_CHIPS), MAX_CHIPS) / deals if deals else 0.0


def _resample(blocks: int, resamples: int, rng: Random) -> Iterator[list[int]]:
    """Yields for every resample how many times it has each block."""
    for _ in range(resamples):
        times = [0] * blocks
        for place in rng.choices(range(blocks), k=blocks):
            times[place] += 1
        yield times


def _ranks(rates: Sequence[float]) -> list[int]:
    """Ranks the rates, starting at 1; equal rates have equal ranks."""
    order = sorted(rates, reverse=True)
    return [order.index(rate) + 1 for rate in rates]


def _bot_rank(bot: str, rank: int, replicates: list[int]) -> BotRank:
    ordered = sorted(replicates)
    cut = ceil(TAIL * len(ordered)) - 1
    return BotRank(bot, rank, (ordered[cut], ordered[-1 - cut]), ordered.count(rank) / len(ordered))


def _share_above(replicates: Sequence[Sequence[float]], one: int, other: int) -> float:
    above = sum((rates[one] > rates[other]) + (rates[one] == rates[other]) / 2 for rates in replicates)
    return above / len(replicates)
