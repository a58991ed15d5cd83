"""Bots that follow each other in the standings, and what it would take to tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Block, adjusted_blocks_of, blocks_of
from bourre_referee.statistics.standing import Standing
from bourre_referee.statistics.stopping_boundary import LEVEL, Verdict, judged, sums, verdict
from bourre_referee.statistics.tied_letters import shared
from bourre_referee.text.names import printable

MOST = 10**9
"""Blocks: who needs more than that will not play them."""


def blocks_needed(blocks: Sequence[Block], level: float = LEVEL, margin: float | None = None) -> int | None:
    """How many more blocks until there is a verdict, if all goes on as it went; 0 when there is one already.

    The mean and the mean square stay as they were. It is a guess, and a poor one while the difference is small against
    its interval. None where there is nothing to go by (see `PILOT`), or it would take more than a billion.
    """
    known = sums(blocks)
    if known is None:
        return None

    def decided(number: int) -> bool:  # if so many blocks decide it, more of them do
        return judged(known.after(number), level, margin) is not Verdict.UNDECIDED

    if not decided(MOST):
        return None
    low, high = known.blocks - 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high - known.blocks


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


SHOWN = 5
"""Pairs that are told one by one: those that need least."""


def undecided_lines(results: Sequence[MatchResult], rows: Sequence[Standing]) -> list[str]:
    """What it would take to tell each from the next, where they share a letter and that can be foretold."""
    unit = "deals" if any(match.blocks for match in results) else "matches"
    tied = {(upper.bot, lower.bot) for upper, lower in pairwise(rows) if shared(upper.tied, lower.tied)}
    found = neighbours(results, [row.bot for row in rows])
    open_pairs = [pair for pair in found if pair.verdict is Verdict.UNDECIDED and (pair.upper, pair.lower) in tied]
    foretold = sorted((pair.more_blocks, number) for number, pair in enumerate(open_pairs) if pair.more_blocks)
    lines = [f"  {_names(open_pairs[number])}: about {more} more {unit}" for more, number in foretold[:SHOWN]]
    left = len(open_pairs) - len(lines)
    if lines and left:
        lines.append(f"  and {left} more pair{'s' if left > 1 else ''}, where it takes longer or cannot be foretold")
    said = "deals that both play, each in all seatings" if unit == "deals" else "matches that both play"
    return [f"to tell neighbours apart, if all goes on like this, takes in {said}:", *lines] if lines else []


def _names(pair: Neighbours) -> str:
    return f"{printable(pair.upper)} and {printable(pair.lower)}"
