"""The marks of a class: CSV and reports for staff, Gradescope, and a leaderboard for everyone."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.evaluation.grade.feedback import NO_MARK, GradingResult, feedback
from bourre_referee.evaluation.grade.grading_plan import Plan
from bourre_referee.evaluation.grade.marking import Item, Mark, rate, raw_rate
from bourre_referee.export.junit import JUnitCase, junit_text
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.standing import escape_cell
from bourre_referee.storage.files import atomic


def results_json(plan: Plan, graded: GradingResult) -> str:
    """Writes the results of one submission. Without a mark there is no score, and Gradescope reports a failure."""
    if graded.mark is None:
        return as_json({"output": NO_MARK, "stdout_visibility": "hidden"})
    document = {
        "score": graded.mark.points,
        "output": feedback(plan, graded),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(number, item) for number, item in enumerate(graded.mark.items, start=1)],
        "leaderboard": _leaderboard(plan, graded),
        "extra_data": {"assignment": plan.name, "max_score": graded.mark.max_points},
    }
    return as_json(document)


def as_json(document: dict[str, object]) -> str:
    """Writes a document as JSON with a newline at the end."""
    return f"{json.dumps(document, indent=2)}\n"


def _test(number: int, item: Item) -> dict[str, object]:
    return {
        "number": str(number),
        "name": item.name,
        "score": item.points,
        "max_score": item.max_points,
        "status": "passed" if item.passed else "failed",
        "output": item.explanation,
        "output_format": "text",
        "visibility": "visible",
    }


def _leaderboard(plan: Plan, graded: GradingResult) -> list[dict[str, object]]:
    """Lists points, then chips per 100 deals. Gradescope itself asks the students for names."""
    assert graded.mark is not None
    board: list[dict[str, object]] = [{"name": "points", "value": graded.mark.points}]
    if graded.evidence.is_ranked:
        board.append({"name": "chips per 100 deals", "value": round(rate(graded.evidence).chips_per_100, 1)})
        strongest = plan.staff[-1].name
        ahead = rate(graded.evidence, strongest).chips_per_100
        board.append({"name": f"ahead of {strongest}", "value": round(ahead, 1)})
    return board


_BYTES = 32
_LOST_SALT = "hint: restore it, or remove it to give all students new names on the leaderboard"
_COLOURS = (
    *("amber", "azure", "black", "blond", "bronze", "brown", "coral", "cream"),
    *("green", "grey", "ivory", "olive", "pearl", "plum", "ruby", "white"),
)
_ANIMALS = (
    *("badger", "bear", "crane", "deer", "eagle", "egret", "falcon", "heron"),
    *("ibis", "lynx", "marten", "otter", "raven", "seal", "stork", "swift"),
)


def read_salt(file: Path) -> bytes:
    """Reads the secret in this file, or creates it if there is no file. Raises ContestError if it is damaged."""
    if not file.exists():
        atomic.write(file, f"{secrets.token_hex(_BYTES)}\n", mode=0o600)
    try:
        salt = bytes.fromhex(file.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise ContestError(f"Cannot read {file} ({error}).\n{_LOST_SALT}") from error
    if len(salt) < _BYTES:
        raise ContestError(f"{file} is damaged.\n{_LOST_SALT}")
    return salt


def pseudonym(student: str, salt: bytes) -> str:
    """Returns a pseudonym such as amber-heron-41c09be2."""
    drawn = hmac.digest(salt, student.encode(errors="surrogatepass"), hashlib.sha256)
    return f"{_COLOURS[drawn[0] % 16]}-{_ANIMALS[drawn[1] % 16]}-{drawn[2:6].hex()}"


LEADERBOARD = ("rank", "name", "points", "of", "chips_per_100", "low", "high")


def mark_sheet(graded: Sequence[GradingResult]) -> str:
    """Writes a CSV line for each student, with the ids if any is known. Without a mark the points are empty."""
    first = next((one.mark for one in graded if one.mark), Mark(()))
    headings = ("student", "leaderboard_name", "points", "of", *(item.name for item in first.items), "remark")
    lines = [_line(one, headings) for one in graded]
    if any(one.id for one in graded):
        lines = [[escape_cell(one.id), *line] for one, line in zip(graded, lines, strict=True)]
        headings = ("id", *headings)
    return _csv(headings, lines)


def _line(one: GradingResult, headings: Sequence[str]) -> list[object]:
    remark = one.trouble or one.failure or one.ignored
    if one.mark is None:
        return [
            escape_cell(one.student),
            one.pseudonym,
            *[""] * (len(headings) - 3),
            escape_cell(f"not marked: {remark}"),
        ]
    points = [item.points for item in one.mark.items]
    return [
        escape_cell(one.student),
        one.pseudonym,
        one.mark.points,
        one.mark.max_points,
        *points,
        escape_cell(remark),
    ]


def leaderboard(graded: Sequence[GradingResult]) -> str:
    """Writes a CSV for everyone, best first, without student names and without bots that did not play most deals."""
    played = [(one.mark, rate(one.evidence), one.pseudonym) for one in graded if one.mark and one.evidence.is_ranked]
    played.sort(key=lambda entry: (-entry[0].points, -entry[1].chips_per_100, entry[2]))
    return _csv(LEADERBOARD, [_entry(rank, *entry) for rank, entry in enumerate(played, start=1)])


def _entry(rank: int, mark: Mark, chips: Estimate, name: str) -> list[object]:
    low, high = chips.ci95 or ("", "")
    return [rank, name, mark.points, mark.max_points, chips.chips_per_100, low, high]


def _csv(headings: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([escape_cell(heading) for heading in headings])
    writer.writerows(lines)
    return text.getvalue()


def junit(plan: Plan, graded: Sequence[GradingResult]) -> str:
    """Writes a JUnit report: a case for each student and item, and for each failure of the grader."""
    return junit_text(plan.name, list(_cases(graded)))


def _cases(graded: Sequence[GradingResult]) -> Iterator[JUnitCase]:
    for one in graded:
        if one.mark is None:
            yield JUnitCase("marked", one.student, f"not marked: {one.failure}")
            continue
        for item in one.mark.items:
            text = f"{item.points:g} of {item.max_points:g}: {item.explanation}"
            yield JUnitCase(item.name, one.student, None if item.passed else text, text if item.passed else "")


def staff_report(plan: Plan, graded: Sequence[GradingResult]) -> str:
    """Writes all evidence for the marks as a JSON document: names, seeds, rates, paths of records."""
    document = {
        "assignment": plan.name,
        "seed": plan.seed,
        "seed_text": str(plan.seed),
        "practice_seed": plan.practice_seed,
        "practice_seed_text": str(plan.practice_seed),
        "submissions": [_report(plan, one) for one in graded],
    }
    return as_json(document)


def _report(plan: Plan, one: GradingResult) -> Mapping[str, object]:
    return {
        "student": one.student,
        "id": one.id,
        "leaderboard_name": one.pseudonym,
        "points": one.mark.points if one.mark else None,
        "items": [
            {"name": item.name, "points": item.points, "of": item.max_points, "found": item.explanation}
            for item in (one.mark.items if one.mark else ())
        ],
        "trouble": one.trouble,
        "failure": one.failure,
        "isolation": one.level,
        "packages": one.environment.as_json if one.environment else None,
        "deals": one.evidence.playings,
        "house_deals": one.evidence.house_deals,
        "reneges": dict(one.evidence.reneges_by_rule),
        "faults": dict(one.evidence.faults),
        "chips_per_100": _rates(plan, one) if one.evidence.is_ranked else {},
        "records": f"runs/{one.folder}",
    }


def _rates(plan: Plan, one: GradingResult) -> dict[str, object]:
    """Lists its own rate, and its difference from each reference bot, luck-adjusted and raw."""
    names = {"all": None, **{bot.name: bot.name for bot in plan.staff}}
    return {
        name: {"less_luck": _rate(rate(one.evidence, against)), "as_it_was": _rate(raw_rate(one.evidence, against))}
        for name, against in names.items()
    }


def _rate(found: Estimate) -> dict[str, object]:
    return {"per_100": found.chips_per_100, "ci95": found.ci95}


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

    def write_all(self, plan: Plan, graded: Sequence[GradingResult]) -> None:
        """Writes the CSV files and reports of these submissions only, not of those marked earlier."""
        atomic.write(self.folder / "leaderboard.csv", leaderboard(graded))
        atomic.write(self.staff / "marks.csv", mark_sheet(graded), mode=0o600)
        atomic.write(self.staff / "marks.json", staff_report(plan, graded), mode=0o600)
        atomic.write(self.staff / "junit.xml", junit(plan, graded), mode=0o600)

    def write_copies(self, report: str) -> Path:
        """Writes the report on copies, for staff only, and returns its path."""
        file = self.staff / "copies.txt"
        atomic.write(file, report, mode=0o600)
        return file
