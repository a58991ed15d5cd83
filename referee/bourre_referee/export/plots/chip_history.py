"""How the chips of each bot went, deal after deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.export.plots.plot_style import drawable
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import blocks_of
from bourre_referee.text.amounts import in_chips


@dataclass(frozen=True, slots=True)
class Course:
    """A bot's chips after each of its blocks, in schedule order, from the beginning on."""

    bot: str
    deals: tuple[int, ...]
    """Played so far."""
    chips: tuple[float, ...]
    """Won or lost so far."""


def courses(results: Sequence[MatchResult], bots: Sequence[str], points: int) -> list[Course]:
    """The course of each bot, in the order given, with at most about so many points; the last is always there."""
    steps: dict[str, list[tuple[int, float]]] = {bot: [] for bot in bots}
    sums = dict.fromkeys(bots, (0, 0))
    for match in results:
        for number, seat in enumerate(match.seats):
            deals, parts = sums[seat.bot]
            for block in blocks_of(match, number):
                deals, parts = deals + block.deals, parts + block.chips
                steps[seat.bot].append((deals, drawable(in_chips(parts, match.unit))))
            sums[seat.bot] = deals, parts
    return [_course(bot, steps[bot], points) for bot in bots]


def _course(bot: str, steps: Sequence[tuple[int, float]], points: int) -> Course:
    stride = max(1, -(-len(steps) // points))
    kept = [(0, 0.0), *steps[stride - 1 :: stride]]
    if steps and kept[-1] != steps[-1]:
        kept.append(steps[-1])
    return Course(bot, tuple(deals for deals, _ in kept), tuple(chips for _, chips in kept))
