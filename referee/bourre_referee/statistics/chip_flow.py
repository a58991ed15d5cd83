"""Whose chips go to whom: every pot as a mixture of what each seat has put into it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.statistics.played_deals import PlayedDeal

ROUNDS = 50
LEAST = 1e-6
"""Of a weight, so that there are shares also where nobody takes anything."""

Paid = Mapping[tuple[str, tuple[str, ...]], float]
"""Chips that a bot paid at a table with these others."""


def luce_weights(payer: str, flows: Iterable[Flow], bots: Sequence[str]) -> dict[str, float]:
    """By which shares the chips of all bots but this payer go to the others at their tables; the mean is 1.

    Luce's choice model, fitted by Hunter's MM algorithm (Annals of Statistics 32, 2004).
    """
    paid: defaultdict[tuple[str, tuple[str, ...]], float] = defaultdict(float)
    taken = dict.fromkeys(bots, 0.0)
    for flow in flows:
        for one, row in zip(flow.bots, flow.chips, strict=True):
            others = tuple(bot for bot in flow.bots if bot != one)
            for other, chips in zip(flow.bots, row, strict=True):
                if payer != one != other:
                    paid[one, others] += chips
                    taken[other] += chips
    weights = dict.fromkeys(bots, 1.0)
    for _ in range(ROUNDS):
        weights = _refitted(weights, paid, taken)
    return weights


def _refitted(weights: Mapping[str, float], paid: Paid, taken: Mapping[str, float]) -> dict[str, float]:
    due = dict.fromkeys(weights, 0.0)
    for (_, others), chips in paid.items():
        share = chips / sum(weights[other] for other in others)
        for other in others:
            due[other] += share
    new = {bot: max(taken[bot] / due[bot], LEAST) if due[bot] else 1.0 for bot in weights}
    mean = sum(new.values()) / len(new)
    return {bot: weight / mean for bot, weight in new.items()}


MOST = 10**100
"""Chips are counted up to here: a pot that nobody limits outgrows floats, and even more so their squares."""

Matrix = tuple[tuple[float, ...], ...]
"""Rows pay, columns take; by number in the match."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The chips of one block: of a match, in `duplicate` of one deal in all its seatings."""

    bots: tuple[str, ...]
    """By number in the match."""
    deals: int
    """Playings."""
    chips: Matrix
    """From the row's bot to the column's; on the diagonal, what came back to its owner."""


def flows(bots: tuple[str, ...], deals: Iterable[PlayedDeal]) -> list[Flow]:
    """The flow of each block of a match.

    Whoever takes chips from a pot takes of everyone's in proportion to what is there of each. In a session the pot is
    carried from deal to deal, and is shared out in the end; in `duplicate` after every deal.
    """
    blocks: dict[int, _Pot] = {}
    for deal in deals:
        pot = blocks.setdefault(deal.deal if deal.unit > 1 else 1, _Pot(len(bots)))
        pot.deals += 1
        for seat, parts in deal.moves:
            pot.move(deal.line_up[seat], parts, deal.unit)
    return [Flow(bots, pot.deals, tuple(map(tuple, pot.flow))) for pot in blocks.values()]


class _Pot:
    """A pot that remembers whose its chips are."""

    def __init__(self, bots: int) -> None:
        self.deals = 0
        self.flow = [[0.0] * bots for _ in range(bots)]
        self._parts = 0
        self._shares = [0.0] * bots

    def move(self, bot: int, parts: int, unit: int) -> None:
        """Pays in what is less than 0, takes out what is more."""
        if parts < 0:
            before, self._parts = self._parts, self._parts - parts
            kept = before / self._parts
            self._shares = [share * kept for share in self._shares]
            self._shares[bot] += 1 - kept
        else:
            self._parts -= parts
            for payer, share in enumerate(self._shares):
                self.flow[payer][bot] += share * (min(parts, MOST * unit) / unit)
