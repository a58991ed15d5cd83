"""Do chips flow from one bot to another, where both sit, more than their play at other tables explains?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from bourre_referee.statistics.chip_flow import Flow, luce_weights
from bourre_referee.statistics.holm import holm

ALLOWANCE = 1.25
"""Honest bots of different styles pay each other up to so many times what is expected; measured, docs/statistics.md."""

LEVEL = 0.05
PERMUTATIONS = 9_999
ENOUGH = 20
"""Permutations with at least the flow that was seen, after which it is known to be nothing special."""

MOST_UNITS = 400
"""Blocks of one line-up are put together until a payer has no more than about this many."""


@dataclass(frozen=True, slots=True)
class PairFlow:
    """What one bot has paid to another."""

    payer: str
    taker: str
    deals: int
    """In which both sat."""
    per_100: float
    """Chips that flowed for 100 of these deals."""
    expected_per_100: float | None
    """By what the payer pays at tables without the taker; None where there are none, or nothing is paid."""
    p: float | None
    """How often chance alone shows as much beyond the allowance."""
    p_holm: float | None
    """Likewise, that any pair shows it (Holm)."""

    @property
    def suspicious(self) -> bool:
        """Whether somebody should look: at most one honest contest in twenty has such a pair."""
        return self.p_holm is not None and self.p_holm < LEVEL


@dataclass(frozen=True, slots=True)
class _Unit:
    """What a payer paid at one table."""

    deals: int
    bots: tuple[str, ...]
    """The others there."""
    chips: tuple[float, ...]
    """To each of them."""


def dumping(flows: Sequence[Flow], bots: Sequence[str], seed: int = 0) -> list[PairFlow]:
    """Every ordered pair that met, the least likely first; the same for the same flows and seed.

    What a bot pays to another is divided by the deals and by the other's weight (`luce_weights`). A bot that treats
    all alike pays as much by that measure to the one in question as, at tables where that one does not sit, to the
    others on average. A permutation test says how surely it pays more than ALLOWANCE times that: it shuffles which of
    the payer's tables are those with the taker.
    """
    found = [pair for payer in bots for pair in _pairs(payer, flows, bots, seed)]
    tested = [pair for pair in found if pair.p is not None]
    corrected = iter(holm([pair.p for pair in tested if pair.p is not None]))
    found = [pair if pair.p is None else replace(pair, p_holm=next(corrected)) for pair in found]
    return sorted(found, key=_likelihood)


def _likelihood(pair: PairFlow) -> tuple[float, float, str, str]:
    p = 2.0 if pair.p is None else pair.p
    return p, -pair.per_100 / (pair.expected_per_100 or 1), pair.payer, pair.taker


def _pairs(payer: str, flows: Sequence[Flow], bots: Sequence[str], seed: int) -> Iterator[PairFlow]:
    weights = luce_weights(payer, flows, bots)
    units = _units(payer, flows)
    for taker in bots:
        together = [unit for unit in units if taker in unit.bots]
        apart = [unit for unit in units if taker not in unit.bots]
        if together:
            yield _pair(payer, taker, together, apart, weights, Random(f"{seed} {payer} {taker}"))


def _units(payer: str, flows: Sequence[Flow]) -> list[_Unit]:
    """The payer's tables; blocks of one line-up put together where there are too many."""
    by_line_up: dict[tuple[str, ...], list[Flow]] = {}
    for flow in flows:
        if payer in flow.bots:
            by_line_up.setdefault(flow.bots, []).append(flow)
    size = -(-sum(map(len, by_line_up.values())) // MOST_UNITS)
    return [
        _unit(payer, blocks[first : first + size])
        for blocks in by_line_up.values()
        for first in range(0, len(blocks), size)
    ]


def _unit(payer: str, blocks: Sequence[Flow]) -> _Unit:
    bots = blocks[0].bots
    row = bots.index(payer)
    others = [column for column in range(len(bots)) if column != row]
    chips = tuple(sum(block.chips[row][column] for block in blocks) for column in others)
    return _Unit(sum(block.deals for block in blocks), tuple(bots[column] for column in others), chips)


def _pair(
    payer: str, taker: str, together: Sequence[_Unit], apart: Sequence[_Unit], weights: dict[str, float], rng: Random
) -> PairFlow:
    deals = sum(unit.deals for unit in together)
    per_100 = 100 * sum(unit.chips[unit.bots.index(taker)] for unit in together) / deals
    here = [unit.chips[unit.bots.index(taker)] / unit.deals / weights[taker] for unit in together]
    there = [_usual(unit, weights) for unit in apart]
    if not any(there):
        return PairFlow(payer, taker, deals, per_100, None, None, None)
    p = permutation_p([value / ALLOWANCE for value in here], there, rng)
    return PairFlow(payer, taker, deals, per_100, 100 * fmean(there) * weights[taker], p, p)


def _usual(unit: _Unit, weights: dict[str, float]) -> float:
    """What goes to one of those at a table."""
    return fmean(chips / unit.deals / weights[bot] for bot, chips in zip(unit.bots, unit.chips, strict=True))


def permutation_p(some: Sequence[float], others: Sequence[float], rng: Random) -> float:
    """How likely these would have a mean so far above the others' if it were chance which is which.

    Sequential (Besag and Clifford, Biometrika 78, 1991): it ends once ENOUGH permutations were as large.
    """
    pool = [*some, *others]
    seen = sum(some) * (1 - 1e-12)  # sums in another order may differ in the last digit
    as_large = 0
    for number in range(1, PERMUTATIONS + 1):
        as_large += sum(rng.sample(pool, len(some))) >= seen
        if as_large == ENOUGH:
            return as_large / number
    return (as_large + 1) / (PERMUTATIONS + 1)
