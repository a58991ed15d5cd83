"""Neighbours in the standings that the results cannot tell apart yet, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.neighbours import Neighbours, neighbours
from bourre_referee.statistics.standing import Standing
from bourre_referee.statistics.stopping_boundary import Verdict
from bourre_referee.statistics.tied_letters import shared
from bourre_referee.text.names import printable

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
