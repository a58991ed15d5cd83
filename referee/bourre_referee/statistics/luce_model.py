"""How large a share of the others' chips each bot takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bourre_referee.statistics.chip_flow import Flow

ROUNDS = 50
LEAST = 1e-6
"""Of a weight, so that there are shares also where nobody takes anything."""

Paid = Mapping[tuple[str, tuple[str, ...]], float]
"""Chips that a bot paid at a table with these others."""


def taking_weights(payer: str, flows: Iterable[Flow], bots: Sequence[str]) -> dict[str, float]:
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
