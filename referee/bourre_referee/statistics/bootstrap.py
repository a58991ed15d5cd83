"""How sure a ranking is: blocks drawn again and again from those that were played (Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from operator import mul
from random import Random

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, adjusted_blocks_of, blocks_of

MOST_BLOCKS = 2_000
"""Deals of one duplicate match are put together until there are no more than about this many blocks."""


@dataclass(frozen=True, slots=True)
class JointBlock:
    """Deals that hang together, and what each bot had of them."""

    bots: tuple[str, ...]
    chips: tuple[int, ...]
    """By bot; in parts of a chip, the same in all blocks."""
    deals: int
    """That each of them played."""


def joint_blocks(results: Sequence[MatchResult], adjusted: bool = False) -> list[JointBlock]:
    """The blocks of these matches; `adjusted`: less the luck of the draw, which must be known."""
    size = -(-sum(max(1, len(match.blocks)) for match in results) // MOST_BLOCKS)
    return [
        _together(match, rows[first : first + size])
        for match in results
        for rows in [list(_rows(match, adjusted))]
        for first in range(0, len(rows), size)
    ]


def _rows(match: MatchResult, adjusted: bool) -> Iterator[tuple[Block, ...]]:
    """For each block of a match that of every seat."""
    of_seat = adjusted_blocks_of if adjusted else blocks_of
    return zip(*(of_seat(match, seat) for seat in range(len(match.seats))), strict=True)


def _together(match: MatchResult, rows: Sequence[tuple[Block, ...]]) -> JointBlock:
    chips = tuple(sum(block.chips for block in of_seat) for of_seat in zip(*rows, strict=True))
    return JointBlock(tuple(seat.bot for seat in match.seats), chips, sum(row[0].deals for row in rows))


RESAMPLES = 1_000
OUTSIDE = 0.025
"""Share of the resamples on each side of a 95 % interval."""

MOST = 10**300
"""Chips are counted up to here: a pot that nobody limits outgrows floats."""


@dataclass(frozen=True, slots=True)
class BotRank:
    """The place of one bot by chips per 100 deals."""

    bot: str
    rank: int
    """In what was played; 1 is best, equal chips have equal rank."""
    interval: tuple[int, int]
    """In 95 % of the resamples, cut evenly at both ends."""
    again: float
    """In which share of the resamples it had this very rank."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the resamples say."""

    ranks: tuple[BotRank, ...]
    """Best first."""
    above: tuple[tuple[float, ...], ...]
    """How often the row's bot had more than the column's, as a share; half where they were equal. Same order."""
    again: float
    """In which share of the resamples all ranks were the same as in what was played."""
    blocks: int
    resamples: int


def ranking(blocks: Sequence[JointBlock], seed: int = 0, resamples: int = RESAMPLES) -> Ranking | None:
    """The ranking of all bots in these blocks; None with fewer than two. The same for the same blocks and seed.

    Every resample has as many blocks as were played, drawn with replacement; all bots of a block come together.
    """
    if len(blocks) < 2:
        return None
    bots = sorted({bot for block in blocks for bot in block.bots})
    columns = [_Column(bot, blocks) for bot in bots]
    seen = [column.rate([1] * len(blocks)) for column in columns]
    drawn = [[column.rate(times) for column in columns] for times in _draws(len(blocks), resamples, Random(seed))]
    order = sorted(range(len(bots)), key=lambda bot: (-seen[bot], bots[bot]))
    ranks, all_ranks = _ranks(seen), [_ranks(rates) for rates in drawn]
    return Ranking(
        ranks=tuple(_bot_rank(bots[bot], ranks[bot], [drawn_ranks[bot] for drawn_ranks in all_ranks]) for bot in order),
        above=tuple(tuple(_above(drawn, one, other) for other in order) for one in order),
        again=all_ranks.count(ranks) / resamples,
        blocks=len(blocks),
        resamples=resamples,
    )


class _Column:
    """The blocks of one bot."""

    def __init__(self, bot: str, blocks: Sequence[JointBlock]) -> None:
        self._places = [place for place, block in enumerate(blocks) if bot in block.bots]
        self._chips = [blocks[place].chips[blocks[place].bots.index(bot)] for place in self._places]
        self._deals = [blocks[place].deals for place in self._places]

    def rate(self, times: Sequence[int]) -> float:
        """Chips for a deal where each block counts so many times; 0 where none of them does."""
        weights = [times[place] for place in self._places]
        chips, deals = sum(map(mul, weights, self._chips)), sum(map(mul, weights, self._deals))
        return min(max(chips, -MOST), MOST) / deals if deals else 0.0


def _draws(blocks: int, resamples: int, rng: Random) -> Iterator[list[int]]:
    """How often each block comes, for every resample."""
    for _ in range(resamples):
        times = [0] * blocks
        for place in rng.choices(range(blocks), k=blocks):
            times[place] += 1
        yield times


def _ranks(rates: Sequence[float]) -> list[int]:
    """From 1; equal rates, equal ranks."""
    order = sorted(rates, reverse=True)
    return [order.index(rate) + 1 for rate in rates]


def _bot_rank(bot: str, rank: int, drawn: list[int]) -> BotRank:
    ordered = sorted(drawn)
    cut = ceil(OUTSIDE * len(ordered)) - 1
    return BotRank(bot, rank, (ordered[cut], ordered[-1 - cut]), ordered.count(rank) / len(ordered))


def _above(drawn: Sequence[Sequence[float]], one: int, other: int) -> float:
    return sum((rates[one] > rates[other]) + (rates[one] == rates[other]) / 2 for rates in drawn) / len(drawn)
