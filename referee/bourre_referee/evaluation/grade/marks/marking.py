"""Computes the mark of a submission, as a pure function of the plan and of the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain

from bourre.rules.actions import Fault
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan, Threshold
from bourre_referee.model.results import MatchResult, SeatResult, is_no_show
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Block,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.storage.run.run import Run

HOUSE_ONE_IN = 10
"""If the referee played more than one in this many deals for a bot, the bot gets no points for chips."""

NOT_PLAYED = "the deals that decide the mark were not played"

BlocksOf = Callable[[MatchResult, int, int | None], Iterator[Block]]

LATENESS = (Fault.LATE, Fault.STALLED)

_DECIMALS = 4
"""Chips per 100 deals are rounded before a threshold is applied, so that every machine gives the same mark."""


@dataclass(frozen=True, slots=True)
class MarkEvidence:
    """The facts from the matches that decide a mark."""

    results: tuple[MatchResult, ...]
    faults: tuple[tuple[str, int], ...] = ()
    """The submission's faults, each kind with its number."""

    @property
    def playings(self) -> int:
        """The number of the submission's deals, counting each seating."""
        return sum(result.playings for result in self.results)

    @property
    def house_deals(self) -> int:
        """The number of these deals that the referee played for it."""
        return sum(seat.house_deals for seat in self._seats())

    @property
    def reneges_by_rule(self) -> tuple[tuple[str, int], ...]:
        """How many reneges broke each rule first."""
        found = list(chain.from_iterable(seat.reneges_by_rule for seat in self._seats()))
        rules = sorted({rule for rule, _ in found})
        return tuple((rule, sum(times for other, times in found if other == rule)) for rule in rules)

    @property
    def played_itself(self) -> bool:
        """Whether the bot, not the referee, played nearly all of its deals."""
        return self.house_deals * HOUSE_ONE_IN <= self.playings

    @property
    def is_ranked(self) -> bool:
        """Whether it has a rank: it played, and the referee did not play most of its deals."""
        return bool(self.results) and not is_no_show(self.playings, self.house_deals)

    def _seats(self) -> Iterator[SeatResult]:
        for result in self.results:
            yield from (seat for seat in result.seats if seat.bot == SUBMISSION)


def evidence_of(folder: Run) -> MarkEvidence:
    """Collects the evidence about the submission from the run in this folder."""
    faults: dict[str, int] = {}
    with closing(folder.stored_matches()) as matches:
        for seat in (seat for match in matches for seat in match.seats if seat.bot == SUBMISSION):
            for kind, times in seat.faults_by_kind:
                faults[kind] = faults.get(kind, 0) + times
    return MarkEvidence(tuple(folder.results()), tuple(sorted(faults.items())))


@dataclass(frozen=True, slots=True)
class Item:
    """One part of the mark."""

    name: str
    points: float
    max_points: float
    explanation: str
    """The reason for its points, for the student."""
    is_won: bool = False
    """Whether the points are for chips won, not for play without mistakes."""

    @property
    def passed(self) -> bool:
        """Whether it earned all its points."""
        return self.points == self.max_points


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a submission: its items, in the order of the plan."""

    items: tuple[Item, ...]

    @property
    def points(self) -> float:
        """The sum, rounded to two decimals."""
        return round(sum(item.points for item in self.items), 2)

    @property
    def max_points(self) -> float:
        """The best possible sum."""
        return round(sum(item.max_points for item in self.items), 2)


def mark(plan: Plan, evidence: MarkEvidence) -> Mark:
    """Returns the mark for this evidence."""
    return Mark((*_conformance(plan, evidence), *(_threshold(asked, evidence) for asked in plan.thresholds)))


def mark_without_points(plan: Plan, practice: MarkEvidence | None = None) -> Mark:
    """Returns the mark of a submission that did not play the hidden deals, explained by its practice deals if any."""
    wrong = _mistakes(practice, "practice deals") if practice else {}
    asked = [(name, points, ", ".join(wrong.get(name, ()))) for name, points in _conformance_points(plan)]
    asked += [(threshold_name(threshold), threshold.points, "") for threshold in plan.thresholds]
    return Mark(tuple(Item(name, 0.0, points, why or NOT_PLAYED) for name, points, why in asked))


def rate(evidence: MarkEvidence, against: str | None = None) -> Estimate:
    """Returns luck-adjusted chips per 100 deals: the submission's own, or its difference from a reference bot."""
    found = estimate_per_100(
        _blocks(evidence.results, against, adjusted_blocks_of), _parts(evidence.results) * ADJUSTED_PARTS
    )
    return _round_estimate(found)


def raw_rate(evidence: MarkEvidence, against: str | None = None) -> Estimate:
    """Returns the same rate without the adjustment for luck."""
    return _round_estimate(estimate_per_100(_blocks(evidence.results, against, blocks_of), _parts(evidence.results)))


def threshold_name(threshold: Threshold) -> str:
    """Returns the name of the item for a threshold."""
    whom = "against all" if threshold.against is None else f"against {threshold.against}"
    return f"{whom}, {threshold.per_100:+g}"


def _blocks(results: Sequence[MatchResult], against: str | None, of: BlocksOf) -> Iterator[Block]:
    """Yields the blocks of the matches of both."""
    for result in results:
        seats = {seat.bot: number for number, seat in enumerate(result.seats)}
        if against is None:
            yield from of(result, seats[SUBMISSION], None)
        elif against in seats:
            yield from of(result, seats[SUBMISSION], seats[against])


def _parts(results: Sequence[MatchResult]) -> int:
    return results[0].unit if results else 1


def _round_estimate(found: Estimate) -> Estimate:
    low, high = found.ci95 or (0.0, 0.0)
    ci95 = (round(low, _DECIMALS), round(high, _DECIMALS)) if found.ci95 else None
    return Estimate(round(found.chips_per_100, _DECIMALS) + 0.0, ci95, found.deals)


def _conformance_points(plan: Plan) -> Iterator[tuple[str, float]]:
    """Yields the name and the points of each conformance item that earns points."""
    conformance = plan.conformance
    for name, points in (
        ("legal cards", conformance.legal),
        ("no faults", conformance.no_faults),
        ("on time", conformance.on_time),
    ):
        if points:
            yield name, points


def _conformance(plan: Plan, evidence: MarkEvidence) -> Iterator[Item]:
    found, wrong = _counts(evidence), _mistakes(evidence, "deals")
    for name, points in _conformance_points(plan):
        share = _share_without(sum(times for _, times in found[name]), evidence.playings, plan.conformance.zero_at)
        share = share if evidence.played_itself else 0.0
        explanation = ", ".join(wrong[name]) or f"nothing wrong in {evidence.playings} deals"
        yield Item(name, round(points * share, 2), points, explanation)


def _counts(evidence: MarkEvidence) -> dict[str, list[tuple[str, int]]]:
    """Returns the mistakes against each conformance item, each kind with its number."""
    return {
        "legal cards": [*evidence.reneges_by_rule],
        "no faults": [(_fault_words(kind), times) for kind, times in evidence.faults if kind not in LATENESS],
        "on time": [(_fault_words(kind), times) for kind, times in evidence.faults if kind in LATENESS],
    }


def _mistakes(evidence: MarkEvidence, deals: str) -> dict[str, list[str]]:
    """Returns the same in words, with what costs all points: that the referee played too many of these `deals`."""
    note = [] if evidence.played_itself else [_house_note(evidence, deals)]
    return {
        name: [*(f"{kind}: {format_times(times)}" for kind, times in found), *note]
        for name, found in _counts(evidence).items()
    }


def _share_without(mistakes: int, playings: int, zero_at: float | None) -> float:
    """Returns the share of the points for so few mistakes, from 0 to 1."""
    if zero_at is None or not playings:
        return 0.0 if mistakes else 1.0
    return max(0.0, 1 - 100 * mistakes / playings / zero_at)


def _threshold(asked: Threshold, evidence: MarkEvidence) -> Item:
    found = rate(evidence, asked.against)
    share = _share(asked, found.chips_per_100) if evidence.played_itself else 0.0
    explanation = f"{format_rate(found)}, required: {asked.per_100:+g}"
    if asked.zero_at is not None:
        explanation += f", no points at {asked.zero_at:+g}"
    if not evidence.played_itself:
        explanation += f", and {_house_note(evidence, 'deals')}"
    return Item(threshold_name(asked), round(asked.points * share, 2), asked.points, explanation, is_won=True)


def _share(asked: Threshold, chips_per_100: float) -> float:
    """Returns the share of the points, from 0 to 1."""
    if chips_per_100 >= asked.per_100:
        return 1.0
    if asked.zero_at is None:
        return 0.0
    return max(0.0, (chips_per_100 - asked.zero_at) / (asked.per_100 - asked.zero_at))


def format_rate(found: Estimate) -> str:
    """Formats a rate with its 95 % interval, which the feedback explains."""
    within = f" (between {found.ci95[0]:+.1f} and {found.ci95[1]:+.1f})" if found.ci95 else ""
    return f"{found.chips_per_100:+.1f} chips per 100 deals{within}"


def _house_note(evidence: MarkEvidence, deals: str) -> str:
    return f"the referee played {evidence.house_deals} of {evidence.playings} {deals} for this bot"


def format_times(number: int) -> str:
    """Returns how often, in words."""
    return "once" if number == 1 else f"{number} times"


def _fault_words(kind: str) -> str:
    return kind.replace("_", " ")
