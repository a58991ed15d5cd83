"""The evidence of `bourre compare --sure`: bets against a mean, with a known bound of the differences.

See Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, Journal of the Royal Statistical
Society B 86, 2024. A gambler begins with 1 and stakes a share of it on each block, at odds that are fair if the mean is
the one under test. As no block loses more than the bound, no bet loses more than its share. So if the mean is right,
the gambler ever reaches 2 / LEVEL with a probability of at most LEVEL / 2, whatever the differences look like. One
gambler bets that the mean is higher, one that it is lower. Each divides the money equally among fixed SHARES (the
paper's diversified Kelly bets), so the order of the blocks does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log, log1p

from bourre_referee.evaluation.compare.evidence import Interval
from bourre_referee.statistics.estimates import Block
from bourre_referee.statistics.stopping_boundary import LEVEL

SHARES = tuple(0.96 / 2**halvings for halvings in range(8))
"""The shares of their money that the gamblers stake."""


@dataclass(frozen=True, slots=True)
class Bets:
    """The differences so far, each with the number of its blocks, and their bound."""

    counts: Mapping[int, float]
    bound: int
    """No difference is larger in size."""

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return round(fsum(self.counts.values()))

    @property
    def mean(self) -> float:
        """The mean difference of a block."""
        return fsum(chips * count for chips, count in self.counts.items()) / self.blocks

    def rejects(self, mean: float) -> bool:
        """Returns whether one of the gamblers has won enough against this mean."""
        if abs(mean) >= self.bound:
            return True
        side = 1 if self.mean > mean else -1
        return self._log_wealth(mean, side) >= log(2 / LEVEL)

    def interval(self) -> Interval:
        """Returns the means that are not rejected."""
        return self._end(-self.bound), self._end(self.bound)

    def extrapolate(self, blocks: int) -> Bets:
        """Returns the bets after this many blocks if they go on like these."""
        times = blocks / self.blocks
        return Bets({chips: count * times for chips, count in self.counts.items()}, self.bound)

    def _log_wealth(self, mean: float, side: int) -> float:
        """Returns the logarithm of the money of the gambler who bets on this side (1: higher, -1: lower)."""
        most = self.bound + side * mean  # what a block can lose
        gains = [(side * (chips - mean) / most, count) for chips, count in self.counts.items()]
        logs = [fsum(count * log1p(share * gain) for gain, count in gains) for share in SHARES]
        largest = max(logs)
        return largest + log(fsum(exp(one - largest) for one in logs) / len(logs))

    def _end(self, outside: float) -> float:
        """Returns the nearest rejected mean between the observed one and a rejected one, to 40 binary digits."""
        inside = self.mean
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if self.rejects(middle) else (middle, outside)
        return outside


def bets_on(blocks: Sequence[Block], bound: int) -> Bets | None:
    """Returns the bets on these blocks. None before the first block."""
    counts = Counter(block.chips for block in blocks)
    if any(abs(chips) > bound for chips in counts):
        raise ValueError(f"A difference is larger than {bound}, the most that the rules allow.")
    return Bets(dict(sorted(counts.items())), bound) if counts else None
