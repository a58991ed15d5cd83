"""Judges neighbours in the standings: which of the two is better, and how many more blocks would decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bourre_referee.statistics.estimates import Block, BlockSums
from bourre_referee.statistics.match_sums import Tally
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.statistics.stopping_boundary import LEVEL, Verdict, judge, judge_sums, sum_blocks
from bourre_referee.statistics.tied_letters import share_letter
from bourre_referee.text.names import printable

MAX_BLOCKS = 10**9
"""Nobody plays more blocks than this, so larger predictions are not made."""


def blocks_needed(blocks: Iterable[Block] | BlockSums, level: float = LEVEL) -> int | None:
    """Predicts how many more blocks a verdict takes if mean and mean square stay the same. 0 if there is a verdict.

    The prediction is poor while the interval is much wider than the difference. None while there are too few
    differences (see `PILOT`), or if it would take more than MAX_BLOCKS.
    """
    sums = sum_blocks(blocks)
    if sums is None:
        return None

    def decides(number: int) -> bool:
        return judge_sums(sums.extrapolate(number), level) is not Verdict.UNDECIDED

    fewest = fewest_blocks(decides, sums.blocks)
    return None if fewest is None else fewest - sums.blocks


def fewest_blocks(decides: Callable[[int], bool], known: int) -> int | None:
    """Returns the fewest blocks, at least `known`, that decide, as do more of them. None if MAX_BLOCKS do not."""
    if not decides(MAX_BLOCKS):
        return None
    low, high = known - 1, MAX_BLOCKS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class UndecidedPairs:
    """Two neighbours in a ranking, and the boundary's verdict on them."""

    upper: str
    lower: str
    verdict: Verdict
    """FIRST: the upper one is better. At most 5 % of contests have any wrong verdict on neighbours."""
    more_blocks: int | None
    """How many more blocks a verdict would take. None if unknown."""


def judge_neighbours(tally: Tally, ranking: Sequence[str]) -> tuple[UndecidedPairs, ...]:
    """Judges each bot of a ranking against the next, over the matches of both, less luck where it is known.

    The level is divided among the pairs (Bonferroni).
    """
    level = LEVEL / max(1, len(ranking) - 1)
    return tuple(_judge_pair(tally, upper, lower, level) for upper, lower in pairwise(ranking))


def _judge_pair(tally: Tally, upper: str, lower: str, level: float) -> UndecidedPairs:
    sums = tally.difference(upper, lower, adjusted=True)
    return UndecidedPairs(upper, lower, judge(sums, level), blocks_needed(sums, level))


MAX_PAIRS_SHOWN = 5
"""How many pairs get their own line. They are the pairs that need the fewest blocks."""


def undecided_lines(tally: Tally, table: Standings) -> list[str]:
    """Returns lines that predict how much more play would separate neighbours that are tied."""
    if table.ties is None:
        return _lines_by_pairs(tally, table.ranked)
    open_pairs = [
        (upper.matches_to_part or MAX_BLOCKS, f"{printable(upper.bot)} and {printable(lower.bot)}")
        for upper, lower in pairwise(table.ranked)
        if upper.matches_to_part != 0 and lower.effect95
    ]
    lines = _nearest(open_pairs, "matches")
    few = ", ".join(map(printable, table.too_few))
    return [
        *(["to tell neighbours apart, if the schedule goes on like this:", *lines] if lines else []),
        *([f"too few matches to tell apart from others: {few}"] if few else []),
    ]


def _lines_by_pairs(tally: Tally, ranked: Sequence[Standing]) -> list[str]:
    """Returns the lines by the method of older runs, whose neighbours share a letter."""
    unit = "matches" if tally.adjusted_pairs is None else "deals"
    tied = {(upper.bot, lower.bot) for upper, lower in pairwise(ranked) if share_letter(upper.tied, lower.tied)}
    found = judge_neighbours(tally, [row.bot for row in ranked])
    open_pairs = [
        (pair.more_blocks or MAX_BLOCKS, f"{printable(pair.upper)} and {printable(pair.lower)}")
        for pair in found
        if pair.verdict is Verdict.UNDECIDED and (pair.upper, pair.lower) in tied
    ]
    lines = _nearest(open_pairs, unit)
    counted = "deals that both play, each in all seatings" if unit == "deals" else "matches that both play"
    return [f"to tell neighbours apart, if play goes on like this ({counted}):", *lines] if lines else []


def _nearest(pairs: Sequence[tuple[int, str]], unit: str) -> list[str]:
    """Returns a line for each of the pairs that need the least play, and one that counts the others."""
    predicted = sorted((pair for pair in pairs if pair[0] < MAX_BLOCKS), key=lambda pair: pair[0])[:MAX_PAIRS_SHOWN]
    lines = [f"  {names}: about {more} more {unit}" for more, names in predicted]
    left = len(pairs) - len(lines)
    if lines and left:
        lines.append(f"  and {left} more pair{'s' if left > 1 else ''}, without a prediction or with a longer one")
    return lines
