"""The output folder of a class, which separates what students may see from what only staff may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.evaluation.grade.feedback import GradingResult, feedback
from bourre_referee.evaluation.grade.grading_plan import Plan
from bourre_referee.evaluation.grade.mark_sheets import junit, leaderboard, mark_sheet, results_json, staff_report
from bourre_referee.model.errors import ContestError
from bourre_referee.storage import atomic

_MARKER = ".bourre-grades"
"""The file by which a later call knows the folder."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """The folder of a marked class."""

    folder: Path

    @property
    def students(self) -> Path:
        """A folder for each student, with what only that student may see."""
        return self.folder / "students"

    @property
    def staff(self) -> Path:
        """What only staff may see: names, seeds, deals."""
        return self.folder / "staff"

    @property
    def runs(self) -> Path:
        """The matches of each submission, as run folders."""
        return self.staff / "runs"

    def make(self) -> None:
        """Make the folder, with a part that only staff can read; raises ContestError if it holds other files."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            others = [path.name for path in self.folder.iterdir()]
            if others and _MARKER not in others:
                raise ContestError(f"{self.folder}: it holds {sorted(others)[0]}; give a new folder with --out")
            (self.folder / _MARKER).touch()
            self.staff.mkdir(exist_ok=True)
            self.staff.chmod(0o700)
            self.runs.mkdir(exist_ok=True)
        except OSError as error:
            raise ContestError(f"{self.folder}: cannot be used ({error.strerror}); give another with --out") from error

    def write_one(self, plan: Plan, graded: GradingResult) -> None:
        """Write what one student may see, and replace what an earlier call wrote."""
        place = self.students / graded.folder
        place.mkdir(parents=True, exist_ok=True)
        atomic.write(place / "feedback.txt", feedback(plan, graded))
        atomic.write(place / "results.json", results_json(plan, graded))

    def write_all(self, plan: Plan, graded: Sequence[GradingResult]) -> None:
        """Write the CSV files and reports of these submissions only, not of those marked earlier."""
        atomic.write(self.folder / "leaderboard.csv", leaderboard(graded))
        atomic.write(self.staff / "marks.csv", mark_sheet(graded), mode=0o600)
        atomic.write(self.staff / "marks.json", staff_report(plan, graded), mode=0o600)
        atomic.write(self.staff / "junit.xml", junit(plan, graded), mode=0o600)

    def write_copies(self, report: str) -> Path:
        """Write which submissions decide alike, for staff alone; return where."""
        file = self.staff / "copies.txt"
        atomic.write(file, report, mode=0o600)
        return file
