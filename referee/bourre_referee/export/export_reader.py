"""Reads an exported run back as written, without checks."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bourre_referee.export.jsonl_lines import ExportedLine, ExportedMatch, ExportLayout, TimesLine, VoidLine
from bourre_referee.model.errors import ContestError, DamagedFile, DamagedLine
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.storage.files.untrusted_files import (
    LONGEST_RECORD,
    check_folder,
    in_words,
    lines,
    place_in,
    read_text_if_exists,
    repeated_key,
)
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.text.names import printable

AnyLine = TypeVar("AnyLine", bound=ExportedLine)

_OTHER_LINES = ("json_invalid", "missing", "extra_forbidden")
"""The kinds of pydantic errors that mean a line from another file. All other kinds concern a value."""


@dataclass(frozen=True, slots=True)
class ExportFolder:
    """A folder of format `jsonl`.

    Every method raises ContestError, with the path, if a file cannot be read, and DamagedLine if a line holds an
    invalid value.
    """

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether this folder looks like an export."""
        return self._layout.matches.exists()

    def manifest(self) -> Manifest:
        """Reads the manifest of the run."""
        return FolderLocation(self.folder).read_manifest()

    def standings(self) -> str | None:
        """Reads `standings.json`. None if there is none."""
        return read_text_if_exists(self._layout.standings)

    def matches(self) -> Generator[StoredMatch, None, None]:
        """Yields the finished matches in the order of `matches.jsonl`, one in memory at a time."""
        path = self._layout.matches
        check_folder(self._layout.records)
        for _, line in _lines(path, ExportedMatch):
            yield line.to_match(read_text_if_exists(self._layout.record(line.match)))

    def voids(self) -> list[DiscardedMatch]:
        """Returns the discarded matches in the order of `voids.jsonl`."""
        path, found, space_left = self._layout.voids, list[DiscardedMatch](), LONGEST_RECORD
        check_folder(self._layout.records)
        for _, line in _lines(path, VoidLine):
            record = read_text_if_exists(self._layout.record(line.match, line.attempt))
            found.append(line.to_void(record))
            space_left -= len(record or "")
            if space_left < 0:
                text = f"its records are larger than {in_words(LONGEST_RECORD)} in total.\nhint: use a new copy"
                raise ContestError(f"{path}: {text}")
        return found

    def check_rest(self) -> None:
        """Checks the other files. Raises DamagedFile at an extra record, DamagedLine at times that fit no match."""
        records = self._layout.records
        named = {self._layout.record(line.match) for _, line in _lines(self._layout.matches, ExportedMatch)}
        named |= {self._layout.record(line.match, line.attempt) for _, line in _lines(self._layout.voids, VoidLine)}
        present = records.iterdir() if records.exists() else ()
        if extra := min((path for path in present if path not in named), default=None):
            raise DamagedFile(records, f"no line of matches.jsonl or voids.jsonl names {printable(extra.name)!r}")
        if self._layout.timings.exists():
            self._check_times()

    def _check_times(self) -> None:
        path = self._layout.timings
        matches = (line for _, line in _lines(self._layout.matches, ExportedMatch))
        for number, times in _lines(path, TimesLine):
            match = next(matches, None)
            seated = match and (match.match, match.attempt, [seat.bot for seat in match.seats])
            if seated != (times.match, times.attempt, [seat.bot for seat in times.seats]):
                raise DamagedLine(path, number, "its match, attempt or bots differ from matches.jsonl")
        if match := next(matches, None):
            raise DamagedFile(path, f"the times of {match.match} are missing")

    @property
    def _layout(self) -> ExportLayout:
        return ExportLayout(self.folder)


def _lines(path: Path, model: type[AnyLine]) -> Iterator[tuple[int, AnyLine]]:
    try:
        for number, line in enumerate(lines(path), start=1):
            yield number, _line(line, model, path, number)
    except OSError as error:
        raise ContestError(f"{path}: cannot be read ({error.strerror}).\nhint: run bourre export again") from error


def _line(line: bytes, model: type[AnyLine], path: Path, number: int) -> AnyLine:
    try:
        found = model.model_validate_json(line)
    except ValidationError as error:
        problems = error.errors()
        other_line = next((problem for problem in problems if problem["type"] in _OTHER_LINES), None)
        if other_line:
            raise ContestError(f"{path}:{number}: {_describe(other_line)}.\nhint: run bourre export again") from error
        raise DamagedLine(path, number, _describe(problems[0])) from error
    if problem := repeated_key(line):
        raise DamagedLine(path, number, problem)
    return found


def _describe(problem: ErrorDetails) -> str:
    return f"{place_in(problem['loc']) or 'the line'}: {problem['msg']}"
