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


def balance_of(line_ups: Iterable[LineUp], bots: int, seats: int) -> Balance:
    """Count it out, whoever made the line-ups. A bot that never sits counts too."""
    at_seat = [[0] * seats for _ in range(bots)]
    together = [[0] * bots for _ in range(bots)]
    at_left = [[0] * bots for _ in range(bots)]
    for line_up in line_ups:
        for seat, bot in enumerate(line_up):
            at_seat[bot][seat] += 1
            at_left[bot][line_up[(seat + 1) % seats]] += 1
            for other in line_up:
                together[bot][other] += 1
    return Balance(
        seat=spread([count for row in at_seat for count in row]),
        pair=spread(_between_two(together)),
        neighbour=spread(_between_two(at_left)),
    )


def spread(counts: Sequence[int]) -> int:
    """Largest minus smallest."""
    return max(counts) - min(counts)


def _between_two(counts: list[list[int]]) -> list[int]:
    """The entries of a square table that are off its diagonal."""
    return [count for a, row in enumerate(counts) for b, count in enumerate(row) if a != b]
