"""What each seat is worth: chips by place from the dealer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from bourre_referee.statistics.estimates import Block, Estimate, estimate_per_100
from bourre_referee.statistics.played_deals import PlayedDeal


@dataclass(frozen=True, slots=True)
class SeatWorth:
    """The worth of one place at the table."""

    place: int
    """How many places to the left of the dealer: 1 speaks first, and 0, the dealer, speaks last."""
    estimate: Estimate


class SeatCounter:
    """Counts chips by place, match by match."""

    def __init__(self) -> None:
        self._blocks: defaultdict[int, list[Block]] = defaultdict(list)
        self._unit = 1

    def add(self, deals: Iterable[PlayedDeal]) -> None:
        """Counts the deals of one match."""
        chips: defaultdict[tuple[int, int], int] = defaultdict(int)
        times: defaultdict[tuple[int, int], int] = defaultdict(int)
        for deal in deals:
            self._unit = deal.unit
            for seat, won in enumerate(deal.chips):
                at = (seat - deal.dealer) % len(deal.line_up), deal.deal if deal.unit > 1 else 0
                chips[at] += won
                times[at] += 1
        for at, number in times.items():
            self._blocks[at[0]].append(Block(chips[at], number))

    def __iadd__(self, other: SeatCounter) -> SeatCounter:
        """Adds what another one counted in other matches."""
        self._unit = other._unit
        for place, blocks in other._blocks.items():
            self._blocks[place] += blocks
        return self

    def summarise(self) -> tuple[SeatWorth, ...]:
        """Returns the worth of every place, in the order in which they speak."""
        order = sorted(self._blocks, key=lambda place: (place == 0, place))
        return tuple(SeatWorth(place, estimate_per_100(self._blocks[place], self._unit)) for place in order)
