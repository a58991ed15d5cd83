"""Makes the entry of a record from a mark and its evidence."""

from __future__ import annotations

from datetime import datetime

from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.marks.marking import rate, raw_rate
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.plan.term_section import HandedIn
from bourre_referee.evaluation.grade.record.fingerprints import plan_digest
from bourre_referee.evaluation.grade.record.marks_record import (
    RecordedItem,
    StoredPackages,
    StoredRate,
    StoredRates,
    Version,
)
from bourre_referee.evaluation.packages.environments import Environment
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.text.names import printable


def version_of(plan: Plan, graded: GradingResult, handed_in: HandedIn, now: datetime) -> Version:
    """Returns the entry of a submission that was marked `now`, or that has no mark."""
    found = graded.mark.items if graded.mark else ()
    evidence = graded.evidence
    return Version(
        digest=graded.digest,
        handed_in=handed_in.moment,
        time_from=handed_in.time_from,
        marked=now if found else None,
        plan=plan_digest(plan),
        items=tuple(
            RecordedItem(name=item.name, points=item.points, of=item.max_points, found=printable(item.explanation))
            for item in found
        ),
        trouble=printable(graded.trouble),
        warnings=tuple(map(printable, graded.warnings)),
        failure=printable(graded.failure),
        waiting=graded.waiting,
        blocked=graded.blocked,
        ignored=graded.ignored,
        isolation=graded.level,
        packages=_packages(graded.environment) if graded.environment else None,
        deals=evidence.playings,
        house_deals=evidence.house_deals,
        reneges=dict(evidence.reneges_by_rule),
        faults=dict(evidence.faults),
        chips_per_100=_rates(plan, graded) if evidence.is_ranked else {},
        records=f"runs/{graded.folder}/{graded.runs}".rstrip("/"),
    )


def _packages(installed: Environment) -> StoredPackages:
    return StoredPackages(digest=installed.digest, installed=installed.packages)


def _rates(plan: Plan, one: GradingResult) -> dict[str, StoredRates]:
    """Lists its own rate, and its lead over each reference bot, luck-adjusted and raw."""
    names = {"all": None, **{bot.name: bot.name for bot in plan.staff}}
    return {
        name: StoredRates(
            less_luck=_rate(rate(one.evidence, against)), as_it_was=_rate(raw_rate(one.evidence, against))
        )
        for name, against in names.items()
    }


def _rate(found: Estimate) -> StoredRate:
    return StoredRate(per_100=found.chips_per_100, ci95=found.ci95)
