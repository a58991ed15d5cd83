"""Compares two bots over the duplicate matches of both, with pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from bourre.rules.pot import UNIT
from bourre_referee.evaluation.compare.betting import bets_on
from bourre_referee.evaluation.compare.evidence import Evidence, Interval, blocks_to_verdict, verdict_of
from bourre_referee.evaluation.compare.skewed_boundary import FEWEST_DEALS, MISSED, skewed_sums, skewness_of_mean
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Block,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.statistics.stopping_boundary import Verdict

COCHRAN = 25
"""A mean is nearly normal after this many times the squared skewness (Cochran, Sampling Techniques, 2.15)."""


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When a comparison stops."""

    budget: int = 1000
    """The most deals."""
    margin: float | None = None
    """EQUAL means closer than this many chips per 100 deals. With None, EQUAL is not tested."""
    bound: int | None = None
    """The most chips by which a deal, in all its seatings, can separate two bots. If given, bets within it decide."""

    @property
    def looks_once(self) -> bool:
        """Whether a verdict is sought only once, after the whole budget."""
        return self.bound is None and self.budget <= FEWEST_DEALS

    def evidence(self, blocks: Sequence[Block]) -> Evidence | None:
        """Returns what the blocks show. None while they show nothing."""
        return skewed_sums(blocks, self.budget) if self.bound is None else bets_on(blocks, self.bound * UNIT)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two bots. Chips are the first bot's minus the second's, per 100 deals."""

    first: str
    second: str
    rule: StoppingRule
    verdict: Verdict
    deals: int
    """The number of deals, each of which was played once in every seating."""
    playings: int
    raw: Estimate
    adjusted: Estimate
    """The difference less the luck of the draw (`bourre_referee.luck`)."""
    always95: Interval | None
    """The interval of the difference that decides, valid after as many looks as the rule has."""
    skewness: float
    """Of the differences in a deal. Negative if rare large losses of the first bot stand out."""
    more_deals: int | None
    """The approximate number of further deals until a verdict, at this rate. None if unknown."""

    @property
    def better(self) -> str | None:
        """The name of the better bot. None if that is undecided or they are equal."""
        return {Verdict.FIRST: self.first, Verdict.SECOND: self.second}.get(self.verdict)

    @property
    def is_sure(self) -> bool:
        """Whether the verdict holds for all losses, however rare."""
        return self.rule.bound is not None

    @property
    def decisive(self) -> Estimate:
        """The difference that decides: the adjusted one, which varies least, or the raw one, which has a bound."""
        return self.raw if self.is_sure else self.adjusted

    @property
    def losses_in(self) -> int | None:
        """The verdict holds for large losses that come in at least one deal of this many. None: for all."""
        return None if self.is_sure else self.deals // MISSED

    @property
    def is_lopsided(self) -> bool:
        """Whether a few large differences outweigh the others, so that rarer ones may be missing."""
        return not self.is_sure and self.deals < COCHRAN * self.skewness**2


def compare_results(
    results: Sequence[MatchResult], first: str, second: str, rule: StoppingRule = StoppingRule()
) -> Comparison:
    """Compares two bots after these duplicate matches, in each of which both sit."""
    places = [_places(match, first, second) for match in results]
    raw = [block for at in places for block in blocks_of(*at)]
    adjusted = [block for at in places for block in adjusted_blocks_of(*at)]
    decisive, parts = (raw, UNIT) if rule.bound is not None else (adjusted, UNIT * ADJUSTED_PARTS)
    evidence = rule.evidence(decisive)
    scale = 100 / (decisive[0].deals * parts) if decisive else 0.0  # from chip parts per block to chips per 100 deals
    margin = rule.margin / scale if rule.margin is not None and scale else None
    return Comparison(
        first=first,
        second=second,
        rule=rule,
        verdict=verdict_of(evidence, margin) if evidence else Verdict.UNDECIDED,
        deals=len(raw),
        playings=sum(block.deals for block in raw),
        raw=estimate_per_100(raw, UNIT),
        adjusted=estimate_per_100(adjusted, UNIT * ADJUSTED_PARTS),
        always95=_scaled(evidence.interval(), scale) if evidence else None,
        skewness=skewness_of_mean(decisive) * sqrt(len(decisive)),
        more_deals=blocks_to_verdict(evidence, margin) if evidence else None,
    )


def _places(match: MatchResult, first: str, second: str) -> tuple[MatchResult, int, int]:
    seats = {seat.bot: number for number, seat in enumerate(match.seats)}
    return match, seats[first], seats[second]


def _scaled(interval: Interval | None, scale: float) -> Interval | None:
    return interval and (interval[0] * scale, interval[1] * scale)


class RunningComparison:
    """Takes finished matches in any order, and judges them in the order of the schedule.

    Matches after a gap wait, and matches after the verdict do not count, so the verdict does not depend on the order in
    which matches finish.
    """

    def __init__(self, first: str, second: str, schedule: Sequence[str], rule: StoppingRule = StoppingRule()) -> None:
        """`schedule` has the ids of all matches in order."""
        self._first = first
        self._second = second
        self._schedule = schedule
        self._rule = rule
        self._waiting: dict[str, MatchResult] = {}
        self._judged: list[MatchResult] = []
        self._comparison = compare_results((), first, second, rule)
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
            self._comparison = compare_results(self._judged, self._first, self._second, self._rule)

    def _next_matches(self) -> Iterator[MatchResult]:
        """Yields the matches that can be judged next."""
        for match in self._schedule[len(self._judged) :]:
            if match not in self._waiting:
                return
            yield self._waiting.pop(match)
