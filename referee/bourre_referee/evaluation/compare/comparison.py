"""Two bots compared over the duplicate matches in which both sat: pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre.rules.pot import UNIT
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, Block, Estimate, adjusted_blocks_of, blocks_of, per_100
from bourre_referee.statistics.neighbours import blocks_needed
from bourre_referee.statistics.stopping_boundary import Verdict, always95, verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known of two bots; chips are those of the first less those of the second, for 100 deals of each."""

    first: str
    second: str
    verdict: Verdict
    """By the adjusted differences, which vary least."""
    deals: int
    """Dealt; each was played once in every seating."""
    playings: int
    raw: Estimate
    adjusted: Estimate
    """Less the luck of the draw (`bourre_referee.model.luck`)."""
    always95: tuple[float, float] | None
    """Of the adjusted ones: the interval that holds however often one looks (`stopping.always95`)."""
    margin: float | None
    """EQUAL means closer than so many chips for 100 deals; None: that is not asked."""
    more_deals: int | None
    """How many more until there is a verdict, if all goes on as it went; None where nothing can be said."""

    @property
    def better(self) -> str | None:
        """The name of the better one; None where that is undecided, or they are as good as equal."""
        return {Verdict.FIRST: self.first, Verdict.SECOND: self.second}.get(self.verdict)


def compared(results: Sequence[MatchResult], first: str, second: str, margin: float | None = None) -> Comparison:
    """The comparison after these duplicate matches, in each of which both bots sit; `margin` as in the Comparison."""
    places = [_places(match, first, second) for match in results]
    raw = [block for at in places for block in blocks_of(*at)]
    adjusted = [block for at in places for block in adjusted_blocks_of(*at)]
    of_block = margin / _chips(adjusted) if margin is not None and adjusted else None
    return Comparison(
        first=first,
        second=second,
        verdict=verdict(adjusted, margin=of_block),
        deals=len(raw),
        playings=sum(block.deals for block in raw),
        raw=per_100(raw, UNIT),
        adjusted=per_100(adjusted, UNIT * ADJUSTED_PARTS),
        always95=_per_100(adjusted),
        margin=margin,
        more_deals=blocks_needed(adjusted, margin=of_block),
    )


def _places(match: MatchResult, first: str, second: str) -> tuple[MatchResult, int, int]:
    seats = {seat.bot: number for number, seat in enumerate(match.seats)}
    return match, seats[first], seats[second]


def _per_100(adjusted: Sequence[Block]) -> tuple[float, float] | None:
    """The interval of a block's mean, in chips for 100 deals."""
    if (found := always95(adjusted)) is None:
        return None
    low, high = found
    return low * _chips(adjusted), high * _chips(adjusted)


def _chips(adjusted: Sequence[Block]) -> float:
    """What one part of a chip in a block is in chips for 100 deals; every block has as many deals."""
    return 100 / (adjusted[0].deals * UNIT * ADJUSTED_PARTS)


class Judging:
    """Hears of finished matches in any order, and judges them in that of the schedule.

    Those after a gap wait, and those after the verdict do not count: so the verdict does not depend on which match was
    finished first.
    """

    def __init__(self, first: str, second: str, schedule: Sequence[str], margin: float | None = None) -> None:
        """`schedule`: the ids of all matches in their order; `margin` as in the Comparison."""
        self._first = first
        self._second = second
        self._schedule = schedule
        self._margin = margin
        self._waiting: dict[str, MatchResult] = {}
        self._judged: list[MatchResult] = []
        self._comparison = compared((), first, second, margin)
        self.heard = 0

    @property
    def comparison(self) -> Comparison:
        """As far as it has come."""
        return self._comparison

    @property
    def decided(self) -> bool:
        """Whether there is a verdict: nothing changes from then on."""
        return self._comparison.verdict is not Verdict.UNDECIDED

    def hear(self, result: MatchResult) -> None:
        """A match is finished."""
        self.heard += 1
        self._waiting[result.match] = result
        for following in self._following():
            if self.decided:
                return
            self._judged.append(following)
            self._comparison = compared(self._judged, self._first, self._second, self._margin)

    def _following(self) -> Iterator[MatchResult]:
        """What can be judged next."""
        for match in self._schedule[len(self._judged) :]:
            if match not in self._waiting:
                return
            yield self._waiting.pop(match)
