"""Sums over blocks, in whole numbers: all that an estimate, a test or a boundary needs of them."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from math import gcd

PILOT = 20
"""How many nonzero differences give the scale of the boundary (`stopping_boundary`)."""


@dataclass(slots=True)
class BlockSums:
    """Sums over blocks, to which more are added one at a time; only the pilot depends on their order."""

    blocks: int = 0
    chips: int = 0
    deals: int = 0
    chips_squared: int = 0
    chips_by_deals: int = 0
    deals_squared: int = 0
    step: int = 0
    """The greatest common divisor of the chips of all blocks."""
    pilot: list[tuple[int, int]] = field(default_factory=list)
    """The first `PILOT` blocks with chips, in schedule order: the number of the match, and the chips without sign."""

    def add(self, chips: int, deals: int, number: int) -> None:
        """Adds a block of the match with this number in the schedule."""
        self.blocks += 1
        self.chips += chips
        self.deals += deals
        self.chips_squared += chips * chips
        self.chips_by_deals += chips * deals
        self.deals_squared += deals * deals
        self.step = gcd(self.step, chips)
        if chips and (len(self.pilot) < PILOT or number < self.pilot[-1][0]):
            insort(self.pilot, (number, abs(chips)), key=_number_of)
            del self.pilot[PILOT:]

    @property
    def spread(self) -> int:
        """The sum of the squares of a block's chips * all deals - all chips * the block's deals."""
        chips, deals = self.chips, self.deals
        return deals**2 * self.chips_squared - 2 * chips * deals * self.chips_by_deals + chips**2 * self.deals_squared

    def turn(self) -> BlockSums:
        """Returns the sums of the same blocks with the signs of all chips turned."""
        return BlockSums(
            self.blocks,
            -self.chips,
            self.deals,
            self.chips_squared,
            -self.chips_by_deals,
            self.deals_squared,
            self.step,
            self.pilot,
        )


def _number_of(entry: tuple[int, int]) -> int:
    return entry[0]
