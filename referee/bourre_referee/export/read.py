"""Reads an exported run back: what is written there, unchecked."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bourre_referee.contest.stages import is_match_id
from bourre_referee.errors import ContestError, DamagedLine
from bourre_referee.export.lines import Line, MatchLine, VoidLine
from bourre_referee.export.places import Places
from bourre_referee.kept import KeptMatch, KeptVoid
from bourre_referee.run_folder.layout import Layout
from bourre_referee.run_folder.manifest import Manifest

AnyLine = TypeVar("AnyLine", bound=Line)

_OTHER_LINES = ("json_invalid", "missing", "extra_forbidden")
"""What pydantic says of a line that is of no such file; anything else it says of a value."""


@dataclass(frozen=True, slots=True)
class ExportFolder:
    """A folder of format `jsonl`; every method raises ContestError, with the place, where it cannot be read.

    DamagedLine where it can be, and a value in a line is none of ours.
    """

    folder: Path

    @property
    def is_there(self) -> bool:
        """Whether this folder looks like an export."""
        return self._places.matches.exists()

    def manifest(self) -> Manifest:
        """What the run says about itself."""
        return Layout(self.folder).read_manifest()

    def standings(self) -> str | None:
        """The text of `standings.json`; None when there is none."""
        return text_if_there(self._places.standings)

    def matches(self) -> Generator[KeptMatch, None, None]:
        """The finished matches in the order of `matches.jsonl`, one in memory at a time."""
        path = self._places.matches
        for number, line in _lines(path, MatchLine):
            record = text_if_there(self._places.record(_sound(line.match, path, number)))
            try:
                yield line.kept(record)
            except ValueError as error:
                raise DamagedLine(path, number, f"sha256: {error}") from error

    def voids(self) -> list[KeptVoid]:
        """The playings that do not count, in the order of `voids.jsonl`."""
        path = self._places.voids
        return [
            line.void(text_if_there(self._places.record(_sound(line.match, path, number), max(line.attempt, 1))))
            for number, line in _lines(path, VoidLine)
        ]

    @property
    def _places(self) -> Places:
        return Places(self.folder)


def text_if_there(path: Path) -> str | None:
    """What a file holds; None when there is none, or it is no UTF-8 text. ContestError when it cannot be read."""
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    except OSError as error:
        raise ContestError(f"{path}: cannot be read ({error.strerror}): change its rights") from error


def _lines(path: Path, model: type[AnyLine]) -> Iterator[tuple[int, AnyLine]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield number, _line(line, model, path, number)
    except OSError as error:
        raise ContestError(f"{path}: cannot be read ({error.strerror}): export the run anew") from error


def _line(line: bytes, model: type[AnyLine], path: Path, number: int) -> AnyLine:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        problems = error.errors()
        other_line = next((problem for problem in problems if problem["type"] in _OTHER_LINES), None)
        if other_line:
            raise ContestError(f"{path}:{number}: {_in_words(other_line)}; export the run anew") from error
        raise DamagedLine(path, number, _in_words(problems[0])) from error


def _in_words(problem: ErrorDetails) -> str:
    where = ".".join(map(str, problem["loc"])) or "the line"
    return f"{where}: {problem['msg']}"


def _sound(match: str, path: Path, number: int) -> str:
    if is_match_id(match):
        return match
    raise DamagedLine(path, number, f"{match!r} is no match of a schedule")
