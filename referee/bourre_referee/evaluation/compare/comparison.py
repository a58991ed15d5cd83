"""Compares two bots over the duplicate matches of both, with pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre.rules.pot import UNIT
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Block,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.statistics.stopping_boundary import RATIO, Verdict, anytime_interval, judge
from bourre_referee.statistics.undecided_pairs import blocks_needed


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two bots. Chips are the first bot's minus the second's, per 100 deals."""

    first: str
    second: str
    verdict: Verdict
    """Decided by the adjusted differences, which vary least."""
    deals: int
    """The number of deals, each of which was played once in every seating."""
    playings: int
    raw: Estimate
    adjusted: Estimate
    """The difference less the luck of the draw (`bourre_referee.luck`)."""
    always95: tuple[float, float] | None
    """The interval of the adjusted difference that is valid after any number of looks (`anytime_interval`)."""
    margin: float | None
    """EQUAL means closer than this many chips per 100 deals. With None, EQUAL is not tested."""
    more_deals: int | None
    """The approximate number of further deals until a verdict, at this rate. None if unknown."""

    @property
    def better(self) -> str | None:
        """The name of the better bot. None if that is undecided or they are equal."""
        return {Verdict.FIRST: self.first, Verdict.SECOND: self.second}.get(self.verdict)


def compare_results(
    results: Sequence[MatchResult], first: str, second: str, margin: float | None = None, ratio: float = RATIO
) -> Comparison:
    """Compares two bots after these duplicate matches, in each of which both sit, with `margin` as in Comparison.

    `ratio` is the scale of the boundary (`bourre_referee.statistics.stopping_boundary`).
    """
    places = [_places(match, first, second) for match in results]
    raw = [block for at in places for block in blocks_of(*at)]
    adjusted = [block for at in places for block in adjusted_blocks_of(*at)]
    of_block = margin / _scale(adjusted) if margin is not None and adjusted else None
    return Comparison(
        first=first,
        second=second,
        verdict=judge(adjusted, margin=of_block, ratio=ratio),
        deals=len(raw),
        playings=sum(block.deals for block in raw),
        raw=estimate_per_100(raw, UNIT),
        adjusted=estimate_per_100(adjusted, UNIT * ADJUSTED_PARTS),
        always95=_scale_interval(adjusted, ratio),
        margin=margin,
        more_deals=blocks_needed(adjusted, margin=of_block, ratio=ratio),
    )


def _places(match: MatchResult, first: str, second: str) -> tuple[MatchResult, int, int]:
    seats = {seat.bot: number for number, seat in enumerate(match.seats)}
    return match, seats[first], seats[second]


def _scale_interval(adjusted: Sequence[Block], ratio: float) -> tuple[float, float] | None:
    """Returns the interval of the mean of all blocks, in chips per 100 deals."""
    if (found := anytime_interval(adjusted, ratio=ratio)) is None:
        return None
    low, high = found
    return low * _scale(adjusted), high * _scale(adjusted)


def _scale(adjusted: Sequence[Block]) -> float:
    """Returns the factor from chip parts per block to chips per 100 deals. All blocks have the same number of deals."""
    return 100 / (adjusted[0].deals * UNIT * ADJUSTED_PARTS)


class RunningComparison:
    """Takes finished matches in any order, and judges them in the order of the schedule.

    Matches after a gap wait, and matches after the verdict do not count, so the verdict does not depend on the order in
    which matches finish.
    """

    def __init__(
        self, first: str, second: str, schedule: Sequence[str], margin: float | None = None, ratio: float = RATIO
    ) -> None:
        """`schedule` has the ids of all matches in order. `margin` and `ratio` are as in `compare_results`."""
        self._first = first
        self._second = second
        self._schedule = schedule
        self._margin = margin
        self._ratio = ratio
        self._waiting: dict[str, MatchResult] = {}
        self._judged: list[MatchResult] = []
        self._comparison = compare_results((), first, second, margin, ratio)
        self.matches_heard = 0

    @property
    def comparison(self) -> Comparison:
        """The comparison so far."""
        return self._comparison

    @property
    def decided(self) -> bool:
        """Whether there is a verdict, which no later match changes."""
        return self._comparison.verdict is not Verdict.UNDECIDED

    def hear(self, result: MatchResult) -> None:
        """Adds a finished match."""
        self.matches_heard += 1
        self._waiting[result.match] = result
        for following in self._next_matches():
            if self.decided:
                return
            self._judged.append(following)
            self._comparison = compare_results(self._judged, self._first, self._second, self._margin, self._ratio)

    def _next_matches(self) -> Iterator[MatchResult]:
        """Yields the matches that can be judged next."""
        for match in self._schedule[len(self._judged) :]:
            if match not in self._waiting:
                return
            yield self._waiting.pop(match)
