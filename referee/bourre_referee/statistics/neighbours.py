"""Bots that follow each other in the standings, and what it would take to tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.blocks_needed import blocks_needed
from bourre_referee.statistics.estimates import Block, adjusted_blocks_of, blocks_of
from bourre_referee.statistics.stopping_boundary import LEVEL, Verdict, verdict


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two of them."""

    upper: str
    lower: str
    verdict: Verdict
    """FIRST: the upper one is better. Over all neighbours together wrong in 5 of 100 contests at most."""
    more_blocks: int | None
    """How many more until there is a verdict; None where nothing can be said."""


def neighbours(results: Sequence[MatchResult], ranking: Sequence[str]) -> tuple[Neighbours, ...]:
    """Each bot of a ranking with the next, over the matches in which both sat.

    Less luck where it is known. The level is divided among the pairs (Bonferroni).
    """
    level = LEVEL / max(1, len(ranking) - 1)
    return tuple(_judged(results, upper, lower, level) for upper, lower in pairwise(ranking))


def _judged(results: Sequence[MatchResult], upper: str, lower: str, level: float) -> Neighbours:
    blocks = list(differences(results, upper, lower))
    return Neighbours(upper, lower, verdict(blocks, level), blocks_needed(blocks, level))


def differences(results: Iterable[MatchResult], first: str, second: str) -> Iterator[Block]:
    """The blocks of first - second, in the order of the results; less luck in format `duplicate`."""
    for match in results:
        seats = {seat.bot: number for number, seat in enumerate(match.seats)}
        if first in seats and second in seats:
            blocks = adjusted_blocks_of if match.blocks else blocks_of
            yield from blocks(match, seats[first], seats[second])
