"""What each seat is worth: chips by place from the dealer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from bourre_referee.statistics.estimates import Block, Estimate, estimate_per_100
from bourre_referee.statistics.played_deals import PlayedDeal


@dataclass(frozen=True, slots=True)
class SeatWorth:
    """The worth of one place at the table."""

    place: int
    """How many places to the left of the dealer: 1 speaks first, and 0, the dealer, speaks last."""
    estimate: Estimate


@dataclass(slots=True)
class SeatCounter:
    """Counts chips by place, match by match."""

    blocks: defaultdict[int, list[Block]] = field(default_factory=lambda: defaultdict(list))
    """The blocks of each place."""
    unit: int = 1
    """How many parts a chip has."""

    def add(self, deals: Iterable[PlayedDeal]) -> None:
        """Counts the deals of one match."""
        chips: defaultdict[tuple[int, int], int] = defaultdict(int)
        times: defaultdict[tuple[int, int], int] = defaultdict(int)
        for deal in deals:
            self.unit = deal.unit
            for seat, won in enumerate(deal.chips):
                at = (seat - deal.dealer) % len(deal.line_up), deal.deal if deal.unit > 1 else 0
                chips[at] += won
                times[at] += 1
        for at, number in times.items():
            self.blocks[at[0]].append(Block(chips[at], number))

    def __iadd__(self, other: SeatCounter) -> SeatCounter:
        """Adds what another one counted in other matches."""
        self.unit = other.unit
        for place, blocks in other.blocks.items():
            self.blocks[place] += blocks
        return self

    def summarise(self) -> tuple[SeatWorth, ...]:
        """Returns the worth of every place, in the order in which they speak."""
        order = sorted(self.blocks, key=lambda place: (place == 0, place))
        return tuple(SeatWorth(place, estimate_per_100(self.blocks[place], self.unit)) for place in order)
