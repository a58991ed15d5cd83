"""The sheets for staff, made from the record: marks, versions, grades for a course system, and a JUnit report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bourre_referee.evaluation.grade.marks.marking import mark_without_points
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.plan.term_section import TermSection, shown_time
from bourre_referee.evaluation.grade.record.counted_marks import CountedMark, CountedVersion, late_points
from bourre_referee.evaluation.grade.sheets.csv_sheet import csv_sheet
from bourre_referee.export.junit import JUnitCase, junit_text

_WHO = ("id", "student")
_MARK = ("points", "of", "remark", "leaderboard_name")
_HANDED_IN = ("version", "versions", "handed_in", "time_from", "late_days", "less")


def mark_sheet(plan: Plan, marks: Sequence[CountedMark]) -> str:
    """Writes a line for each student, with the version that counts. Without a mark the points are empty."""
    names = [item.name for item in mark_without_points(plan).items]
    names += sorted({item.name for one in marks if one.counts for item in one.counts.version.items} - {*names})
    rows = ([*_who(one), *_mark(one), *_handed_in(plan.term, one), *_items(names, one)] for one in marks)
    return csv_sheet((*_WHO, *_MARK, *_HANDED_IN, *names), rows)


def _who(one: CountedMark) -> tuple[str, str]:
    return one.who.id, one.who.student


def _mark(one: CountedMark) -> tuple[object, ...]:
    found = one.counts
    return (*((found.points, found.version.of) if found else ("", "")), one.remark, one.who.leaderboard_name)


def _handed_in(term: TermSection, one: CountedMark) -> tuple[object, ...]:
    found = one.counts
    return (
        found.number if found else "",
        len(one.who.versions),
        *(_time(term, found) if found else ("", "", "", "")),
    )


def _time(term: TermSection, one: CountedVersion) -> tuple[object, ...]:
    version = one.version
    return shown_time(version.handed_in, term.deadline), version.time_from, one.days_late, one.less


def _items(names: Sequence[str], one: CountedMark) -> Iterator[object]:
    found = {item.name: item.points for item in one.counts.version.items} if one.counts else {}
    yield from (found.get(name, "") for name in names)


def grade_sheet(plan: Plan, marks: Sequence[CountedMark]) -> str:
    """Writes ids and points only, under the assignment's name, as gradebooks of course systems read them."""
    rows = ((*_who(one), one.counts.points) for one in marks if one.counts)
    return csv_sheet((*_WHO, plan.name), rows, are_ids_kept=True)


_VERSION = ("version", "counts", "points", "of", "less", "remark", "handed_in", "time_from", "late_days", "marked")


def version_sheet(plan: Plan, marks: Sequence[CountedMark]) -> str:
    """Writes a line for each version of each student, and for each mark that a later one replaced."""
    rows = (row for one in marks for row in _versions(plan.term, one))
    return csv_sheet((*_WHO, *_VERSION, "files", "plan", "runs"), rows)


def _versions(term: TermSection, one: CountedMark) -> Iterator[tuple[object, ...]]:
    for place, version in enumerate(one.who.versions):
        found = late_points(term, one.who, place)
        when = (shown_time(version.handed_in, term.deadline), version.time_from, found.days_late)
        for mark in version.earlier:
            given = (mark.points, mark.of, "", "replaced by a later mark")
            marked = _minute(mark.marked, term)
            yield (*_who(one), place + 1, "", *given, *when, marked, version.digest[:12], mark.plan, "")
        points = (found.points, version.of, found.less) if version.items else ("", "", "")
        counts = "yes" if one.counts and one.counts.number == place + 1 else ""
        remark = version.trouble or version.failure or version.waiting or found.reason
        last = (_minute(version.marked, term), version.digest[:12], version.plan, version.records)
        yield (*_who(one), place + 1, counts, *points, remark, *when, *last)


def _minute(moment: datetime | None, term: TermSection) -> str:
    return shown_time(moment, term.deadline)


def junit(plan: Plan, marks: Sequence[CountedMark]) -> str:
    """Writes a JUnit report. Each student's first case is the whole mark. It fails with what stopped it."""
    return junit_text(plan.name, [case for one in marks for case in _cases(one)])


def _cases(one: CountedMark) -> Iterator[JUnitCase]:
    name = one.who.student
    stopped = one.counts is None or one.counts.less or one.counts.version.trouble
    yield JUnitCase("marked", name, one.remark if stopped else None, "" if stopped else one.remark)
    for item in one.counts.version.items if one.counts else ():
        text = f"{item.points:g} of {item.of:g}: {item.found}"
        passed = item.points == item.of
        yield JUnitCase(item.name, name, None if passed else text, text if passed else "")
