"""Whose chips go to whom: every pot as a mixture of what each seat has paid into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre_referee.statistics.played_deals import PlayedDeal

MAX_CHIPS = 10**100
"""Chips are cut off here: a pot without a limit overflows floats, and its square does so even sooner."""

Matrix = tuple[tuple[float, ...], ...]
"""Rows pay, columns take; bots by number in the match."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The chips paid in one block: in a match, or in a `duplicate` deal over all its seatings."""

    bots: tuple[str, ...]
    """By number in the match."""
    deals: int
    """How many deals each bot played, counting each seating."""
    chips: Matrix
    """From the row's bot to the column's; on the diagonal, what came back to its owner."""


def chip_flows(bots: tuple[str, ...], deals: Iterable[PlayedDeal]) -> list[Flow]:
    """Returns the flow of each block of a match.

    A seat that takes chips from a pot takes them in proportion to what each bot has in it. In a session the pot carries
    over from deal to deal and is shared in the end; in `duplicate` it is shared after every deal.
    """
    blocks: dict[int, _Pot] = {}
    for deal in deals:
        pot = blocks.setdefault(deal.deal if deal.unit > 1 else 1, _Pot(len(bots)))
        pot.deals += 1
        for seat, parts in deal.moves:
            pot.move(deal.line_up[seat], parts, deal.unit)
    return [Flow(bots, pot.deals, tuple(map(tuple, pot.flow))) for pot in blocks.values()]


class _Pot:
    """A pot that remembers whose chips are in it."""

    def __init__(self, bots: int) -> None:
        self.deals = 0
        self.flow = [[0.0] * bots for _ in range(bots)]
        self._parts = 0
        self._shares = [0.0] * bots

    def move(self, bot: int, parts: int, unit: int) -> None:
        """Pays negative amounts into the pot, and takes positive ones out of it."""
        if parts < 0:
            before, self._parts = self._parts, self._parts - parts
            remaining = before / self._parts
            self._shares = [share * remaining for share in self._shares]
            self._shares[bot] += 1 - remaining
        else:
            self._parts -= parts
            for payer, share in enumerate(self._shares):
                self.flow[payer][bot] += share * (min(parts, MAX_CHIPS * unit) / unit)
