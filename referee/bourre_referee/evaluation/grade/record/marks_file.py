"""Reads and changes `marks.json`. Calls that mark at the same time take turns, and lose nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan
from bourre_referee.evaluation.grade.record.fingerprints import files_digest
from bourre_referee.evaluation.grade.record.marks_record import (
    MarksRecord,
    StudentRecord,
    Version,
    empty_record,
)
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.file_lock import take_turns
from bourre_referee.storage.files.sound_values import SHOWN
from bourre_referee.storage.files.untrusted_files import place_in, read
from bourre_referee.text.names import shorten

_RENAME = "hint: restore it from a backup, or rename it. Then a new record begins"


@dataclass(frozen=True, slots=True)
class MarksFile:
    """The record of an assignment, in the folder for staff."""

    path: Path
    plan: Plan

    def read(self) -> MarksRecord:
        """Reads the record, or an empty one. Raises ContestError if it is damaged, newer or of another assignment."""
        try:
            text = read(self.path)
        except FileNotFoundError:
            return empty_record(self.plan)
        except OSError as error:
            raise ContestError(f"Cannot read {self.path}: {error.strerror}.\nhint: check its permissions") from error
        record = self._parse(text)
        if record.assignment != self.plan.name:
            whose = f"the marks of {shorten(record.assignment, SHOWN)!r}, not of {self.plan.name!r}"
            raise ContestError(f"{self.path} has {whose}.\nhint: pass another folder with --out")
        return record

    def change(
        self,
        change: Callable[[MarksRecord], MarksRecord],
        publish: Callable[[MarksRecord], None] = lambda _: None,
    ) -> MarksRecord:
        """Replaces the record by a changed one, and returns it. `publish` is called before others may change it.

        Raises ContestError as `read` does.
        """
        with take_turns(self.path):
            record = change(self.read())
            now = empty_record(self.plan).model_copy(update={"submissions": record.submissions})
            atomic.write(self.path, f"{now.model_dump_json(indent=2)}\n", mode=0o600)
            publish(now)
        return now

    def _parse(self, text: bytes) -> MarksRecord:
        try:
            document = json.loads(text)
        except (RecursionError, ValueError) as error:
            raise ContestError(f"{self.path} is damaged ({error}).\n{_RENAME}") from error
        try:
            if not isinstance(document, dict) or "format" in document:
                return MarksRecord.model_validate_json(text)
            return _taken_over(document, self.path.parent)
        except (AttributeError, KeyError, TypeError) as error:
            raise ContestError(f"{self.path} is damaged ({type(error).__name__}).\n{_RENAME}") from error
        except ValidationError as error:
            first = error.errors()[0]
            place = place_in(first["loc"]) or "the file"
            if first["type"] == "extra_forbidden" or place == "format":
                why = f"{self.path} is from a newer version of bourre ({shorten(place, SHOWN)})"
                raise ContestError(f"{why}.\nhint: use that version") from error
            raise ContestError(f"{self.path} is damaged ({place}: {first['msg']}).\n{_RENAME}") from error


def _taken_over(document: dict[str, object], staff: Path) -> MarksRecord:
    """Returns the record from the marks of one call, as earlier versions wrote them."""
    submissions = document.pop("submissions")
    if not isinstance(submissions, list):
        raise TypeError
    return MarksRecord.model_validate({**document, "submissions": [_former(one, staff) for one in submissions]})


def _former(one: dict[str, object], staff: Path) -> StudentRecord:
    """Returns a student of earlier marks, with the files that were played. The time of handing in is unknown."""
    played = staff / str(one["records"]) / "work" / SUBMISSION
    known = {key: value for key, value in one.items() if key in Version.model_fields}
    version = Version.model_validate({"digest": files_digest(played) if played.is_dir() else "", **known})
    return StudentRecord(
        student=str(one["student"]),
        id=str(one.get("id", "")),
        leaderboard_name=str(one["leaderboard_name"]),
        versions=(version,),
    )
