"""Relates chips to the usage that bots reported: chips per call, per token, per unit of money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bourre.notes import MILLIONTHS, Usage
from bourre_referee.statistics.standing import Standing


@dataclass(frozen=True, slots=True)
class ReportedUsage:
    """The usage that one bot reported in all its matches, and its chips per unit. None where it used none."""

    bot: str
    tokens_in: int
    tokens_out: int
    calls: int
    cost: float
    """Units of money."""
    chips: float | None
    """None for a no-show, because the referee won these chips."""
    per_100_calls: float | None
    per_1000_tokens: float | None
    """Chips per 1,000 tokens, sent or received."""
    per_unit_of_money: float | None


def reported_usage(rows: Sequence[Standing], usage: Mapping[str, Usage]) -> tuple[ReportedUsage, ...]:
    """Computes these figures for every bot that reported usage, in the order of the standings."""
    return tuple(_reported(row, usage[row.bot]) for row in rows if row.bot in usage)


def _reported(row: Standing, usage: Usage) -> ReportedUsage:
    cost = usage.cost_millionths / MILLIONTHS
    return ReportedUsage(
        bot=row.bot,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        calls=usage.calls,
        cost=cost,
        chips=row.chips,
        per_100_calls=_ratio(row.chips, usage.calls, 100),
        per_1000_tokens=_ratio(row.chips, usage.tokens_in + usage.tokens_out, 1000),
        per_unit_of_money=_ratio(row.chips, cost),
    )


def _ratio(chips: float | None, used: float, units: int = 1) -> float | None:
    return units * chips / used if chips is not None and used else None
