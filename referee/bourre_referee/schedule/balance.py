"""How evenly a list of line-ups treats its bots."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LineUp = tuple[int, ...]
"""Who sits where: the index of a bot for every seat."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Largest count minus smallest; 0 is perfectly even."""

    seat: int
    """Over every bot and seat: the matches it sits there."""
    pair: int
    """Over every two bots: the matches at one table."""
    neighbour: int
    """Over every two bots, in order: the matches in which the second sits to the first's left."""


def balance_of(
    line_ups: Iterable[LineUp], bots: int, seats: int, groups: Sequence[Sequence[int]] | None = None
) -> Balance:
    """Count it out, whoever made the line-ups. A bot that never sits counts too.

    With `groups` only bots of one group are compared with each other, and the largest spread of any group counts.
    """
    at_seat = [[0] * seats for _ in range(bots)]
    together = [[0] * bots for _ in range(bots)]
    at_left = [[0] * bots for _ in range(bots)]
    for line_up in line_ups:
        for seat, bot in enumerate(line_up):
            at_seat[bot][seat] += 1
            at_left[bot][line_up[(seat + 1) % seats]] += 1
            for other in line_up:
                together[bot][other] += 1
    compared = [range(bots)] if groups is None else groups
    return Balance(
        seat=max(spread([count for bot in group for count in at_seat[bot]]) for group in compared),
        pair=max(spread(_between_two(together, group)) for group in compared),
        neighbour=max(spread(_between_two(at_left, group)) for group in compared),
    )


def spread(counts: Sequence[int]) -> int:
    """Largest minus smallest; 0 where there is nothing to compare."""
    return max(counts) - min(counts) if counts else 0


def _between_two(counts: list[list[int]], group: Sequence[int]) -> list[int]:
    """The entries of a square table between two different bots of a group."""
    return [counts[a][b] for a in group for b in group if a != b]
