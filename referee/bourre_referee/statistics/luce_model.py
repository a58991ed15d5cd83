"""Luce's choice model of who takes whose chips."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bourre_referee.statistics.chip_flow import Flow

ITERATIONS = 50
MIN_WEIGHT = 1e-6
"""Keeps weights above 0, so that shares exist even if nobody takes anything."""

Payments = Mapping[tuple[str, tuple[str, ...]], float]
"""The chips that a bot paid at tables with these others."""


PARALLEL_FROM = 1_000
"""From so many flows times bots on, NumPy takes less time than it takes to load."""


def luce_weights_by_payer(flows: Sequence[Flow], bots: Sequence[str]) -> dict[str, dict[str, float]]:
    """Returns `luce_weights` of every bot as the payer."""
    if len(flows) * len(bots) < PARALLEL_FROM:
        return {payer: luce_weights(payer, flows, bots) for payer in bots}
    from bourre_referee.statistics.luce_arrays import fit_weights

    rows = fit_weights(flows, bots, ITERATIONS, MIN_WEIGHT).tolist()
    return {payer: dict(zip(bots, row, strict=True)) for payer, row in zip(bots, rows, strict=True)}


def luce_weights(payer: str, flows: Iterable[Flow], bots: Sequence[str]) -> dict[str, float]:
    """Returns the weights by which the others at a table share the chips of everyone but this payer; their mean is 1.

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
    for _ in range(ITERATIONS):
        weights = _mm_step(weights, paid, taken)
    return weights


def _mm_step(weights: Mapping[str, float], paid: Payments, taken: Mapping[str, float]) -> dict[str, float]:
    expected = dict.fromkeys(weights, 0.0)
    for (_, others), chips in paid.items():
        per_weight = chips / sum(weights[other] for other in others)
        for other in others:
            expected[other] += per_weight
    new = {bot: max(taken[bot] / expected[bot], MIN_WEIGHT) if expected[bot] else 1.0 for bot in weights}
    mean = sum(new.values()) / len(new)
    return {bot: weight / mean for bot, weight in new.items()}
