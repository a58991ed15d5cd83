"""A class over a term, for tests: results entered into a record one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from bourre_referee.evaluation.grade.grade_book import GradeBook
from bourre_referee.evaluation.grade.grades_folder import Outputs
from bourre_referee.evaluation.grade.intake.submissions import Submission
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.marks.marking import mark
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.plan.term_section import HandedIn
from bourre_referee.evaluation.grade.record.counted_marks import counted_mark
from bourre_referee.evaluation.grade.record.fingerprints import plan_digest
from bourre_referee.evaluation.grade.record.marked_version import version_of
from bourre_referee.evaluation.grade.record.marks_record import MarksRecord, StudentRecord, empty_record
from tests.referee.plans import evidence

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def recorded(known: Plan, graded: Sequence[GradingResult]) -> MarksRecord:
    """A record with one version of each student."""
    students = tuple(
        StudentRecord(
            student=one.student,
            id=one.id,
            leaderboard_name=one.pseudonym,
            versions=(version_of(known, one, HandedIn(NOON, "first seen"), NOON),),
        )
        for one in graded
    )
    return empty_record(known).model_copy(update={"submissions": students})


@dataclass(frozen=True)
class Term:
    """An assignment in a folder, into which versions are entered."""

    plan: Plan
    outputs: Outputs

    @classmethod
    def begun(cls, known: Plan, folder: Path) -> Term:
        """A folder for grades."""
        outputs = Outputs(folder / "grades")
        outputs.make()
        return cls(known, outputs)

    def book(self, now: datetime = NOON, told: datetime | None = None) -> GradeBook:
        """The record during a call."""
        return GradeBook(self.outputs.marks(self.plan), b"salt", now, told)

    def result(self, digest: str, points: float, student: str = "ada") -> GradingResult:
        """A result with these files, and with this share of the points of one part."""
        found = evidence((3, -2, -1))
        whole = mark(self.plan, found)
        items = tuple(replace(item, points=0.0) for item in whole.items[1:])
        first = replace(whole.items[0], points=points, max_points=100.0)
        given = replace(whole, items=(first, *items))
        return GradingResult(student, "", given, evidence=found, folder=student, digest=digest, runs=digest)

    def enter(
        self,
        graded: GradingResult,
        now: datetime = NOON,
        told: datetime | None = None,
        course: datetime | None = None,
        ident: str = "",
    ) -> GradingResult:
        """Enters a result, and publishes the sheets."""
        book = self.book(now, told)
        entered = book.enter(Submission(graded.student, Path(), ident, handed_in=course), replace(graded, id=ident))
        book.publish(self.outputs)
        self.outputs.write_one(self.plan, entered)
        return entered

    def counts(self, student: str = "ada") -> tuple[int, float]:
        """The number of the version that counts, and its points."""
        (one,) = (one for one in self.book().file.read().submissions if one.student == student)
        found = counted_mark(self.plan.term, plan_digest(self.plan), one).counts
        assert found is not None
        return found.number, found.points

    def sheet(self, name: str) -> str:
        """A file for staff."""
        return (self.outputs.staff / name).read_text()
