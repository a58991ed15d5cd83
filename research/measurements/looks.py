"""What `bourre compare` knows at each of its looks at a row of differences, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt

from bourre_referee.evaluation.compare.betting import Bets
from bourre_referee.evaluation.compare.skewed_boundary import FEWEST_DEALS, SkewedSums
from bourre_referee.statistics.estimates import PILOT
from bourre_referee.statistics.stopping_boundary import Sums, ratio_for


def skewed_after(
    drawn: Sequence[int],
    look: int,
    budget: int,
    fewest: int = FEWEST_DEALS,
    *,
    hall: bool = True,
    looks_once: bool = False,
) -> Iterator[SkewedSums]:
    """Yields the sums after every `look` differences, once there is a scale, with Hall's correction or without.

    With `looks_once`, their interval is for one look.
    """
    pilot = [difference for difference in drawn if difference][:PILOT]
    scale = ratio_for(budget) * sum(difference**2 for difference in pilot) / PILOT
    total = squares = cubes = different = 0
    for number, difference in enumerate(drawn, start=1):
        total += difference
        squares += difference**2
        cubes += difference**3
        different += difference != 0
        if number % look == 0 and number >= fewest and different >= PILOT:
            skewness = skewness_from(number, total, squares, cubes) if hall else 0.0
            yield SkewedSums(Sums(number, total, squares, scale), skewness, fewest, looks_once)


def skewness_from(number: int, total: int, squares: int, cubes: int) -> float:
    """Returns the skewness of the mean from sums of powers."""
    spread = squares - total**2 / number
    third = cubes - 3 * total * squares / number + 2 * total**3 / number**2
    return third / (spread * sqrt(spread)) if spread > 0 else 0.0


def bets_after(drawn: Sequence[int], look: int, bound: int) -> Iterator[Bets]:
    """Yields the bets after every `look` differences."""
    counts: Counter[int] = Counter()
    for number, difference in enumerate(drawn, start=1):
        counts[difference] += 1
        if number % look == 0:
            yield Bets(dict(counts), bound)
