"""The folder of a marked class: a part for each student, and one for staff only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.record.counted_marks import CountedMark
from bourre_referee.evaluation.grade.record.marks_file import MarksFile
from bourre_referee.evaluation.grade.sheets.class_summary import class_summary
from bourre_referee.evaluation.grade.sheets.feedback import feedback
from bourre_referee.evaluation.grade.sheets.gradescope import results_json
from bourre_referee.evaluation.grade.sheets.leaderboard import leaderboard
from bourre_referee.evaluation.grade.sheets.mark_sheets import grade_sheet, junit, mark_sheet, version_sheet
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic

_MARKER = ".bourre-grades"
"""The file by which a later call recognises the folder."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """The folder of a marked class."""

    folder: Path

    @property
    def students(self) -> Path:
        """A folder for each student, with results that only that student may see."""
        return self.folder / "students"

    @property
    def staff(self) -> Path:
        """The files for staff only: names, seeds, deals."""
        return self.folder / "staff"

    @property
    def runs(self) -> Path:
        """The matches of each submission, as run folders."""
        return self.staff / "runs"

    def make(self) -> None:
        """Creates the folder, with a part that only staff can read. Raises ContestError if it holds other files."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            others = [path.name for path in self.folder.iterdir()]
            if others and _MARKER not in others:
                raise ContestError(f"{self.folder} contains {sorted(others)[0]}.\nhint: pass a new folder with --out")
            (self.folder / _MARKER).touch()
            self.staff.mkdir(exist_ok=True)
            self.staff.chmod(0o700)
            self.runs.mkdir(exist_ok=True)
        except OSError as error:
            text = f"Cannot use {self.folder} ({error.strerror}).\nhint: pass another folder with --out"
            raise ContestError(text) from error

    def write_one(self, plan: Plan, graded: GradingResult) -> None:
        """Writes the files for one student, and replaces those of an earlier call."""
        place = self.students / graded.folder
        place.mkdir(parents=True, exist_ok=True)
        atomic.write(place / "feedback.txt", feedback(plan, graded))
        atomic.write(place / "results.json", results_json(plan, graded))

    def marks(self, plan: Plan) -> MarksFile:
        """Returns the record from which the sheets are made."""
        return MarksFile(self.staff / "marks.json", plan)

    def hidden_runs(self, marks: Sequence[CountedMark]) -> dict[str, Path]:
        """Returns the runs that decided the marks, by student, as far as they are still there."""
        found = {one.who.student: self.staff / one.counts.version.records / "hidden" for one in marks if one.counts}
        return {student: folder for student, folder in found.items() if folder.is_dir()}

    def write_all(self, plan: Plan, marks: Sequence[CountedMark]) -> None:
        """Writes the sheets of the whole class."""
        atomic.write(self.folder / "leaderboard.csv", leaderboard(marks))
        for name, text in (
            ("marks.csv", mark_sheet(plan, marks)),
            ("grades.csv", grade_sheet(plan, marks)),
            ("versions.csv", version_sheet(plan, marks)),
            ("junit.xml", junit(plan, marks)),
            ("summary.txt", class_summary(plan, marks)),
        ):
            atomic.write(self.staff / name, text, mode=0o600)

    def write_copies(self, report: str) -> Path:
        """Writes the report on copies, for staff only, and returns its path."""
        file = self.staff / "copies.txt"
        atomic.write(file, report, mode=0o600)
        return file
