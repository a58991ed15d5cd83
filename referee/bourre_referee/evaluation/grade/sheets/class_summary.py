"""Sums up the marks of a class for the teacher: pass rates, causes, late versions, and who has no mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean, median

from bourre_referee.evaluation.grade.marks.marking import mark_without_points
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.record.counted_marks import CountedMark
from bourre_referee.evaluation.grade.record.marks_record import RecordedItem, Version
from bourre_referee.text.names import printable, shorten

_MOST_NAMES = 8
_MISSING = re.compile(r"No such file or directory|\bENOENT\b")
_FILE_ERRORS = (("without a file that their bot reads", True), ("stopped at the file system", False))
"""How staff are told of errors of files, and whether these are about a missing file."""
_PLACE = re.compile(r"(?: in)?(?:^| )\S+\.\w+, line \d+(?:, `.*`:|, [^:]*:|:)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
"""What makes the same cause another one for each student: where it was, and names."""
_LONGEST_CAUSE = 100
_KIND = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Exit|Interrupt)\b")


def class_summary(plan: Plan, marks: Sequence[CountedMark]) -> str:
    """Returns the summary as lines of text."""
    return "".join(f"{line}\n" for line in _lines(plan, marks))


def headline(plan: Plan, marks: Sequence[CountedMark]) -> str:
    """Returns the summary in one line."""
    points = [one.counts.points for one in marks if one.counts]
    parts = [f"{len(points)} of {len(marks)} students have a mark"]
    parts += [f"median {median(points):g} of {plan.points:g} points"] if points else []
    troubled = sum(bool(one.counts and one.counts.version.trouble) for one in marks)
    counts = [(troubled, "without points because of a mistake"), (len(_late(marks)), "late")]
    counts += [(len(_blocked(marks, missing=missing)), words) for words, missing in _FILE_ERRORS]
    for number, words in counts:
        parts += [f"{number} {words}"] if number else []
    return ", ".join(parts)


def unknown_students(plan: Plan, marks: Sequence[CountedMark]) -> list[str]:
    """Returns the names in [term.extra_days] that no student has."""
    known = {word for one in marks for word in (one.who.student, one.who.id)}
    return sorted(plan.term.extra_days.keys() - known)


def late_by_first_sight(marks: Sequence[CountedMark]) -> list[str]:
    """Returns who is late only because `bourre grade` first saw the version after the deadline."""
    found = (one for one in marks if one.counts and one.counts.days_late)
    return [one.who.student for one in found if one.counts and one.counts.version.time_from == "first seen"]


def _lines(plan: Plan, marks: Sequence[CountedMark]) -> Iterator[str]:
    yield f"{plan.name}: {headline(plan, marks)}"
    yield from ("", f"{'part':32} all   some   none   mean")
    yield from _parts(plan, [one.counts.version for one in marks if one.counts])
    yield from _section("Causes", _causes(marks, _labels))
    yield from _section("Warnings", _causes(marks, _warnings))
    for words, missing in _FILE_ERRORS:
        yield from _section(words.capitalize(), (f"{name}: {e}" for name, e in _blocked(marks, missing=missing)))
    yield from _section("Late", (f"{name}: {reason}" for name, reason in _late(marks)))
    without = (one for one in marks if one.counts is None)
    yield from _section("No mark", (f"{printable(one.who.student)}: {printable(one.remark)}" for one in without))
    waiting = (one for one in marks if one.who.versions[-1].waiting)
    yield from _section("A version waits for another day", (printable(one.who.student) for one in waiting))
    unknown = (printable(name) for name in unknown_students(plan, marks))
    yield from _section("In [term.extra_days], but nobody's name or id", unknown)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield from ("", title, *(f"  {line}" for line in found))


def _parts(plan: Plan, versions: Sequence[Version]) -> Iterator[str]:
    """Yields for each part how many have all of its points, some, and none."""
    for asked in mark_without_points(plan).items:
        found = [item for one in versions for item in one.items if item.name == asked.name]
        title = f"{asked.name} ({asked.max_points:g})"
        yield f"{title:32} {_counts(found)}" if found else f"{title:32}   -"


def _counts(found: Sequence[RecordedItem]) -> str:
    full = sum(item.points == item.of for item in found)
    none = sum(item.points == 0 for item in found)
    return f"{full:>3} {len(found) - full - none:>6} {none:>6} {fmean(item.points for item in found):>6.1f}"


def _causes(marks: Sequence[CountedMark], labels: Callable[[Version], Iterator[str]]) -> Iterator[str]:
    """Yields each cause with its students, the commonest first."""
    students: dict[str, list[str]] = {}
    for one in marks:
        for label in labels(one.counts.version) if one.counts else ():
            students.setdefault(label, []).append(printable(one.who.student))
    for label, names in sorted(students.items(), key=lambda entry: -len(entry[1])):
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield f"{len(names):>3}  {label}: {', '.join(names[:_MOST_NAMES])}{more}"


def _labels(version: Version) -> Iterator[str]:
    """Yields what went wrong, in words that do not depend on the student."""
    if version.trouble:
        what, _, why = printable(version.trouble).partition(" hint:")[0].partition(": ")
        kind = _KIND.search(why)
        words = _PLACE.sub("", why.rpartition("): ")[2]).strip().partition(": ")[0]
        why = kind[0] if kind else _QUOTED.sub("...", words)
        yield shorten(f"{what.rstrip('.')} ({why.strip(' .,:')})" if why else what.rstrip("."), _LONGEST_CAUSE)
        return
    yield from (f"{kind.replace('_', ' ')} (fault)" for kind in version.faults)
    yield from (f"renege against {rule}" for rule in version.reneges)


def _warnings(version: Version) -> Iterator[str]:
    for warning in version.warnings:
        words = _PLACE.sub("", warning.removeprefix("warning: ")).partition(": ")[0].partition(". ")[0]
        yield shorten(words.strip(), _LONGEST_CAUSE)


def _blocked(marks: Sequence[CountedMark], *, missing: bool) -> list[tuple[str, str]]:
    """Returns who lacked a file, or else who was refused by the file system, each with the error."""
    found = ((one.who.student, one.counts.version.blocked) for one in marks if one.counts)
    return [(printable(name), error) for name, error in found if error and bool(_MISSING.search(error)) is missing]


def _late(marks: Sequence[CountedMark]) -> list[tuple[str, str]]:
    late = [(one.who.student, one.counts) for one in marks if one.counts and one.counts.days_late]
    return [
        (printable(name), f"{one.reason or f'{one.days_late} late days'} (time: {one.version.time_from})")
        for name, one in late
    ]
