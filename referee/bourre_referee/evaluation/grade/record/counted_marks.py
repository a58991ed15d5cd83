"""Decides which version of a student counts, and what lateness costs it, from the record and the plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.plan.term_section import TermSection, days_late, deadline_of
from bourre_referee.evaluation.grade.record.fingerprints import plan_digest
from bourre_referee.evaluation.grade.record.marks_record import MarksRecord, StudentRecord, Version

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class CountedVersion:
    """A version with the points that it would give."""

    version: Version
    number: int
    """From 1, in the order of the record."""
    days_late: int
    points: float
    """With the penalty, rounded to two decimals."""
    reason: str
    """What lateness costs, in words. Empty without a penalty."""

    @property
    def less(self) -> float:
        """The points that lateness costs."""
        return round(self.version.points - self.points, 2)


@dataclass(frozen=True, slots=True)
class CountedMark:
    """A student's mark."""

    who: StudentRecord
    counts: CountedVersion | None
    """The version that counts, or None if no version has a mark."""
    remark: str
    """The cause of a bad mark first."""


def counted_marks(plan: Plan, record: MarksRecord) -> tuple[CountedMark, ...]:
    """Returns everyone's mark, by name."""
    now = plan_digest(plan)
    students = sorted(record.submissions, key=lambda one: (one.student.casefold(), one.student))
    return tuple(counted_mark(plan.term, now, student) for student in students)


def counted_mark(term: TermSection, plan: str, student: StudentRecord) -> CountedMark:
    """Returns a student's mark. Marks by this plan count before those by an earlier one."""
    marked = [late_points(term, student, number) for number, one in enumerate(student.versions) if one.items]
    current = [one for one in marked if one.version.plan == plan] or marked
    accepted = [one for one in current if not _is_too_late(term, one)] or current
    rank = _by_points if term.counts == "best" else _by_time
    counts = max(accepted, key=rank, default=None)
    return CountedMark(student, counts, "; ".join(_remarks(plan, student.versions, counts)))


def late_points(term: TermSection, student: StudentRecord, place: int) -> CountedVersion:
    """Returns the version in this place of the record with its points, less the penalty."""
    version = student.versions[place]
    deadline = deadline_of(term, (student.student, student.id))
    days = days_late(deadline, version.handed_in) if deadline and version.handed_in else 0
    lost = min(100.0, term.penalty * days)
    reason = f"{days} late {'day' if days == 1 else 'days'}: {lost:g} % less" if lost else ""
    if term.late_days is not None and days > term.late_days:
        lost, reason = 100.0, f"{days} late days, of which the plan allows {term.late_days}: no points"
    return CountedVersion(version, place + 1, days, round(version.points * (1 - lost / 100), 2), reason)


def _is_too_late(term: TermSection, one: CountedVersion) -> bool:
    return term.late_days is not None and one.days_late > term.late_days


def _by_points(one: CountedVersion) -> tuple[float, int]:
    return one.points, one.number


def _by_time(one: CountedVersion) -> tuple[datetime, int]:
    return one.version.handed_in or _LONG_AGO, one.number


def _remarks(plan: str, versions: Sequence[Version], counts: CountedVersion | None) -> Iterator[str]:
    last = versions[-1]
    if counts is None:
        yield f"not marked: {last.failure or last.waiting}"
        return
    version = counts.version
    if version.trouble:
        yield version.trouble
    elif version.ignored:
        yield version.ignored
    elif version.warnings:
        yield version.warnings[0]
    if counts.less:
        yield counts.reason
    if version.failure:
        yield f"not marked again: {version.failure}"
    if version.plan not in (plan, ""):
        yield "marked by an earlier plan"
    if last is not version and not last.items:
        yield f"version {len(versions)} is not marked: {last.failure or last.waiting}"
