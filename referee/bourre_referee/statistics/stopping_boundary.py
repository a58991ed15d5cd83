"""The normal-mixture boundary: how large a sum of differences must be before it is more than chance.

See Robbins 1970, and with the sum of squares in place of the variance: de la Peña 1999, and Howard, Ramdas, McAuliffe
and Sekhon 2021. Let x be the difference of two bots in a block, S the sum of the x, V the sum of their squares, and r a
constant. If each x is as likely as -x, then |S| >= sqrt((V + r) ln((V + r) / (r a^2))) ever happens with a probability
of at most a. So the test may be repeated after every block, and play may stop as soon as this happens.

The scale r is RATIO, or another number, times the variance of a block. That variance is unknown in advance, so the mean
square of the first PILOT nonzero differences takes its place. This does not weaken the bound: if x is as likely as -x,
the bound holds for any sizes of the differences, and only their signs are random. There is no verdict before the pilot
is over. Blocks whose difference is 0 change neither S nor V.

The means that the boundary does not reject form an interval (`half_width`). With a probability of at least 1 - a, it
contains the true mean at all times, if x is distributed symmetrically around that mean. If the interval excludes 0, one
bot is better. If it lies between -margin and margin, the two are closer than that. Both answers come from one interval,
so a is spent once: if either is wrong, the interval has missed the truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt

from bourre_referee.statistics.estimates import PILOT, Block, BlockSums, add_up

LEVEL = 0.05
"""The a above: the probability of ever calling one of two equal bots better, over all looks together."""

RATIO = 100
"""The r in variances of a block if the number of blocks is unknown: the boundary is tightest after some hundreds."""
_BUDGET_PER_RATIO = 10


class Verdict(StrEnum):
    """Which of two bots is better, as far as the differences show."""

    FIRST = "first"
    SECOND = "second"
    EQUAL = "equal"
    """Closer than a margin."""
    UNDECIDED = "undecided"

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of the differences so far, in their own unit."""

    blocks: int
    total: float
    squares: float
    scale: float
    """r."""

    def extrapolate(self, blocks: int) -> Sums:
        """Returns the sums after this many blocks, if mean and mean square stay the same."""
        times = blocks / self.blocks
        return Sums(blocks, self.total * times, self.squares * times, self.scale)

    def around(self, mean: float) -> tuple[float, float]:
        """Returns the sum, and the sum of squares, of the deviations from this mean."""
        total = self.total - self.blocks * mean
        return total, self.squares - 2 * mean * self.total + self.blocks * mean * mean


def ratio_for(budget: int) -> float:
    """Returns r, in variances of a block, for at most `budget` blocks: tightest shortly before all are played."""
    return budget / _BUDGET_PER_RATIO


def sum_blocks(blocks: Iterable[Block] | BlockSums, ratio: float = RATIO) -> Sums | None:
    """Returns the sums over these blocks, with r as `ratio` times their variance. None during the pilot."""
    sums = blocks if isinstance(blocks, BlockSums) else add_up(blocks)
    if len(sums.pilot) < PILOT:
        return None
    scale = ratio * sum(chips**2 for _, chips in sums.pilot) / PILOT
    return Sums(sums.blocks, sums.chips, sums.chips_squared, scale)


def boundary(squares: float, scale: float, level: float = LEVEL) -> float:
    """Returns the boundary for |S|, by the sum of squares V and the scale r, both in the square of its unit."""
    whole = squares + scale
    return sqrt(whole * log(whole / (scale * level**2)))


def judge(blocks: Iterable[Block] | BlockSums, level: float = LEVEL) -> Verdict:
    """Decides which of two bots is better, by the differences first - second in all blocks so far, in any unit."""
    sums = sum_blocks(blocks)
    return Verdict.UNDECIDED if sums is None else judge_sums(sums, level)


def judge_sums(sums: Sums, level: float) -> Verdict:
    """Returns the verdict of `judge`, from the sums of the differences."""
    if abs(sums.total) >= boundary(sums.squares, sums.scale, level):
        return Verdict.FIRST if sums.total > 0 else Verdict.SECOND
    return Verdict.UNDECIDED


def half_width(sums: Sums, level: float = LEVEL) -> float | None:
    """Returns how far from the observed mean the boundary rejects a mean, to 40 binary digits. None if it never does.

    With probability 1 - `level`, the true mean is closer than that at all times.
    """
    mean, step = sums.total / sums.blocks, sqrt(sums.squares) / sums.blocks
    for _ in range(20):
        if _rejects(sums, mean + step, level):
            break
        step *= 2
    else:
        return None
    inside, outside = 0.0, step
    for _ in range(40):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if _rejects(sums, mean + middle, level) else (middle, outside)
    return outside


def _rejects(sums: Sums, mean: float, level: float) -> bool:
    """Returns whether the boundary rejects this mean."""
    total, squares = sums.around(mean)
    return abs(total) >= boundary(max(squares, 0.0), sums.scale, level)
