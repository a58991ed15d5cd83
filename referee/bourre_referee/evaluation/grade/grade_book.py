"""Enters marks into the record of an assignment, and tells students which of their versions counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bourre_referee.evaluation.grade.grades_folder import Outputs
from bourre_referee.evaluation.grade.intake.submissions import Submission
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.plan.term_section import HandedIn, deadline_of, moment_of, shown_time
from bourre_referee.evaluation.grade.record.counted_marks import (
    CountedMark,
    CountedVersion,
    counted_mark,
    counted_marks,
    late_points,
)
from bourre_referee.evaluation.grade.record.fingerprints import plan_digest
from bourre_referee.evaluation.grade.record.marked_version import version_of
from bourre_referee.evaluation.grade.record.marks_file import MarksFile
from bourre_referee.evaluation.grade.record.marks_record import MarksRecord, StudentRecord
from bourre_referee.evaluation.grade.record.version_history import is_known, marked_on, with_version
from bourre_referee.evaluation.grade.sheets.leaderboard import pseudonym
from bourre_referee.model.errors import ContestError

_WAITS = (
    "as many versions were marked today as the plan allows ({times}). This one is marked on another day, and keeps its "
    "time of handing in"
)


@dataclass(frozen=True, slots=True)
class GradeBook:
    """The record during one call."""

    file: MarksFile
    salt: bytes | None
    """The secret of the pseudonyms, or None if submissions have no student's name."""
    now: datetime
    """The time of this call, in the time zone in which days are counted."""
    told: datetime | None
    """When these versions were handed in, if staff say so."""

    def named(self, submissions: Sequence[Submission]) -> tuple[Submission, ...]:
        """Returns them under the names of the record. Who has the id keeps the name, also beside a namesake.

        Raises ContestError if two get the same name.
        """
        students = self.file.read().submissions
        named = tuple(replace(one, student=_name_in(students, one)) for one in submissions)
        for student, times in Counter(one.student for one in named).items():
            if times > 1:
                raise ContestError(f"Two submissions are of {student!r}.\nhint: mark them in two calls")
        return named

    def refusal(self, student: str, digest: str) -> str:
        """Returns why these files are not marked today; empty if they are."""
        limit = self.file.plan.term.versions_a_day
        versions = next((one.versions for one in self.file.read().submissions if one.student == student), ())
        if limit is None or self.salt is None or is_known(versions, digest):
            return ""
        times = marked_on(versions, self.now)
        return _WAITS.format(times=times) if times >= limit else ""

    def enter(self, submission: Submission, graded: GradingResult) -> GradingResult:
        """Adds a result to the record, and returns it with what the student is told of the term."""
        version = version_of(self.file.plan, graded, self._handed_in(submission), self.now)

        def add(record: MarksRecord) -> MarksRecord:
            old = next((one for one in record.submissions if one.student == graded.student), None)
            new = StudentRecord(
                student=graded.student,
                id=graded.id or (old.id if old else ""),
                leaderboard_name=graded.pseudonym,
                versions=with_version(old.versions if old else (), version),
            )
            others = tuple(new if one is old else one for one in record.submissions)
            return record.model_copy(update={"submissions": others if old else (*others, new)})

        record = self.file.change(add)
        student = next(one for one in record.submissions if one.student == graded.student)
        return self._with_term(student, graded)

    def publish(self, outputs: Outputs) -> tuple[CountedMark, ...]:
        """Writes the sheets of the whole class, with the names by the present secret, and returns its marks."""

        def rename(record: MarksRecord) -> MarksRecord:
            return record.model_copy(update={"submissions": tuple(map(self._renamed, record.submissions))})

        def write(record: MarksRecord) -> None:
            outputs.write_all(self.file.plan, counted_marks(self.file.plan, record))

        return counted_marks(self.file.plan, self.file.change(rename, write))

    def _renamed(self, one: StudentRecord) -> StudentRecord:
        return one.model_copy(update={"leaderboard_name": pseudonym(one.student, self.salt)}) if self.salt else one

    def _handed_in(self, submission: Submission) -> HandedIn:
        if self.told:
            return HandedIn(self.told, "staff")
        if submission.handed_in:
            return HandedIn(submission.handed_in, "course system")
        return HandedIn(self.now, "first seen")

    def _with_term(self, student: StudentRecord, graded: GradingResult) -> GradingResult:
        term = self.file.plan.term
        this = self._place(student, graded.digest)
        late = late_points(term, student, this)
        counted = counted_mark(term, plan_digest(self.file.plan), student)
        lines = tuple(self._lines(counted, late))
        return replace(graded, term=lines, less=late.less if graded.mark else 0.0)

    def _place(self, student: StudentRecord, digest: str) -> int:
        """Returns the place of the last version with these files, or else of the last one."""
        places = [number for number, one in enumerate(student.versions) if one.digest == digest]
        return (places or [len(student.versions) - 1])[-1]

    def _lines(self, counted: CountedMark, this: CountedVersion) -> Iterator[str]:
        """Yields what the student is told of the deadline and of other versions."""
        deadline = deadline_of(self.file.plan.term, (counted.who.student, counted.who.id))
        handed_in = shown_time(this.version.handed_in, deadline)
        if deadline and handed_in:
            first = "seen by" if this.version.time_from == "first seen" else "handed in"
            yield f"{first} {handed_in}, deadline {shown_time(moment_of(deadline), deadline)}"
        if this.less:
            yield f"{this.reason}, {this.less:g} of {this.version.points:g} points"
        others = len(counted.who.versions) > 1
        if others and counted.counts and counted.counts.number == this.number:
            yield f"this version, number {this.number}, counts"
        elif others and counted.counts:
            yield f"your version {counted.counts.number} counts, with {counted.counts.points:g} points, not this one"


def _name_in(students: Sequence[StudentRecord], one: Submission) -> str:
    """Returns the name under which the record has or will have this student."""
    for known in students:
        if one.id and known.id == one.id:
            return known.student
    namesake = next((known for known in students if known.student == one.student), None)
    return f"{one.student} {one.id}" if namesake and namesake.id and one.id else one.student
