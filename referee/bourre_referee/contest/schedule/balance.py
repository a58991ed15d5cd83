"""Measures how evenly a list of line-ups treats its bots."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LineUp = tuple[int, ...]
"""The index of the bot in each seat."""


@dataclass(frozen=True, slots=True)
class Balance:
    """How evenly bots are treated: the largest count minus the smallest. 0 is perfectly even."""

    seat: int
    """For the matches of each bot in each seat."""
    pair: int
    """For the matches of each pair of bots."""
    neighbour: int
    """For the matches in which one bot sits to another's left."""


def measure_balance(
    line_ups: Iterable[LineUp], bots: int, seats: int, groups: Sequence[Sequence[int]] | None = None
) -> Balance:
    """Measures the balance of any line-ups. A bot that never plays counts too.

    With `groups`, it compares only bots of the same group, and returns the largest spread of any group.
    """
    at_seat = [[0] * seats for _ in range(bots)]
    meetings = [[0] * bots for _ in range(bots)]
    at_left = [[0] * bots for _ in range(bots)]
    for line_up in line_ups:
        for seat, bot in enumerate(line_up):
            at_seat[bot][seat] += 1
            at_left[bot][line_up[(seat + 1) % seats]] += 1
            for other in line_up:
                meetings[bot][other] += 1
    compared = [range(bots)] if groups is None else groups
    return Balance(
        seat=max(spread([count for bot in group for count in at_seat[bot]]) for group in compared),
        pair=max(spread(_pair_counts(meetings, group)) for group in compared),
        neighbour=max(spread(_pair_counts(at_left, group)) for group in compared),
    )


def spread(counts: Sequence[int]) -> int:
    """Returns the largest count minus the smallest; 0 if there are none."""
    return max(counts) - min(counts) if counts else 0


def _pair_counts(counts: list[list[int]], group: Sequence[int]) -> list[int]:
    """Returns the entries of a square table between two different bots of a group."""
    return [counts[a][b] for a in group for b in group if a != b]
