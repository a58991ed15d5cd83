"""The normal-mixture boundary: how far a sum of differences must have gone before it is more than chance.

Robbins 1970; with the sum of squares in the place of the variance de la Peña 1999, Howard, Ramdas, McAuliffe and Sekhon
2021. Let x be the differences of two bots, one for each block, S their sum, V the sum of their squares, r a constant.
Then |S| >= sqrt((V + r) ln((V + r) / (r a^2))) happens at any time at all with a probability of at most a, if each x
is as likely as -x. So one may look after every block, and stop when it happens.

The scale: r is RATIO times the variance of a block, which nobody knows before. It is taken from the first PILOT
differences that are not 0, as the mean of their squares. That costs nothing: where x is as likely as -x, all of the
above holds whatever the sizes of the differences are, known beforehand or not; only their signs are chance. Nothing is
decided before the pilot is over. Blocks without any difference change neither S nor V.

All means that the boundary does not refute make an interval (`always95`). It holds the true mean at all times together
with a probability of at least 1 - a, if each x lies as likely above that mean as below it. Where it leaves out 0, one
bot is better; where it lies between -margin and margin, the two are closer than that. Both are read from one interval,
so that a is spent once: whatever the truth is, a wrong answer means that the interval has left it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt

from bourre_referee.statistics.estimates import Block

LEVEL = 0.05
"""a: how often two equal bots may be told apart, over all looks together."""

RATIO = 100
"""r in variances of a block: the boundary is tightest after some hundreds of blocks."""

PILOT = 20
"""How many differences that are not 0 give the scale."""


class Verdict(StrEnum):
    """Which of two is better, as far as can be said."""

    FIRST = "first"
    SECOND = "second"
    EQUAL = "equal"
    """But for less than a margin."""
    UNDECIDED = "undecided"

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"


@dataclass(frozen=True, slots=True)
class Sums:
    """What the boundary asks about the differences so far, in their own unit."""

    blocks: int
    total: float
    squares: float
    scale: float
    """r."""

    def after(self, blocks: int) -> Sums:
        """The sums after so many blocks, if mean and mean square stay as they are."""
        times = blocks / self.blocks
        return Sums(blocks, self.total * times, self.squares * times, self.scale)

    def less(self, mean: float) -> tuple[float, float]:
        """The sum, and the sum of squares, had every difference been smaller by so much."""
        total = self.total - self.blocks * mean
        return total, self.squares - 2 * mean * self.total + self.blocks * mean * mean


def sums(blocks: Sequence[Block]) -> Sums | None:
    """None while the pilot goes on."""
    differences = [block.chips for block in blocks]
    pilot = [difference for difference in differences if difference][:PILOT]
    if len(pilot) < PILOT:
        return None
    scale = RATIO * sum(difference**2 for difference in pilot) / PILOT
    return Sums(len(differences), sum(differences), sum(difference**2 for difference in differences), scale)


def boundary(squares: float, scale: float, level: float = LEVEL) -> float:
    """How far from 0 the sum must be, by the sum of squares V and the scale r, both in the square of its unit."""
    whole = squares + scale
    return sqrt(whole * log(whole / (scale * level**2)))


def verdict(blocks: Sequence[Block], level: float = LEVEL, margin: float | None = None) -> Verdict:
    """Which of two bots is better, by the differences first - second in all blocks so far; in any unit.

    EQUAL where the mean difference of a block is surely closer to 0 than `margin`, and it is not known which is better.
    """
    known = sums(blocks)
    return Verdict.UNDECIDED if known is None else judged(known, level, margin)


def judged(known: Sums, level: float, margin: float | None) -> Verdict:
    """Likewise, by the sums of these differences."""
    if abs(known.total) >= boundary(known.squares, known.scale, level):
        return Verdict.FIRST if known.total > 0 else Verdict.SECOND
    return Verdict.EQUAL if margin is not None and _closer(known, margin, level) else Verdict.UNDECIDED


def _closer(known: Sums, margin: float, level: float) -> bool:
    """Whether -margin and margin are refuted, and the mean lies between them."""
    inside = abs(known.total) < known.blocks * margin
    return inside and _refuted(known, -margin, level) and _refuted(known, margin, level)


def always95(blocks: Sequence[Block], level: float = LEVEL) -> tuple[float, float] | None:
    """The interval that holds the mean difference of a block at all times together, with probability 1 - `level`.

    All means that the boundary does not refute: 0 is outside as soon as, and as long as, there is a verdict. None while
    so few blocks are known that it would have no ends.
    """
    known = sums(blocks)
    if known is None:
        return None
    mean, step = known.total / known.blocks, sqrt(known.squares) / known.blocks
    low, high = (_end(known, mean, side * step, level) for side in (-1, 1))
    return (low, high) if low is not None and high is not None else None


def _end(known: Sums, mean: float, step: float, level: float) -> float | None:
    """The first mean on one side of the observed one that is refuted, to 40 binary digits."""
    for _ in range(20):
        if _refuted(known, mean + step, level):
            break
        step *= 2
    else:
        return None
    inside, outside = 0.0, step
    for _ in range(40):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if _refuted(known, mean + middle, level) else (middle, outside)
    return mean + outside


def _refuted(known: Sums, mean: float, level: float) -> bool:
    total, squares = known.less(mean)
    return abs(total) >= boundary(max(squares, 0.0), known.scale, level)
