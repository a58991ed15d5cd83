"""Reads a TOML file, and collects all its problems with their lines."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from bourre.rules.errors import unknown
from bourre_referee.contest.contest_keys import Section
from bourre_referee.model.errors import ContestError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def read_text(path: Path, kind: str) -> str:
    """Reads the file, which should be of this `kind`, such as "contest file". Raises ContestError."""
    try:
        written = path.read_bytes()
    except OSError as error:
        raise ContestError(f"Cannot read {path}: {error.strerror}.\nhint: pass the path of a {kind}") from error
    if b"\0" in written:
        raise ContestError(f"{path} is UTF-16, or not text.\nhint: save it as UTF-8")
    try:
        return written.decode("utf-8-sig")  # some editors write a byte-order mark
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ContestError(
            f"{path}:{line}: a character is not UTF-8, perhaps Latin-1.\nhint: save it as UTF-8"
        ) from error


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Parses the file's tables; raises ContestError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContestError(f"{path} is not valid TOML: {error}") from error


Place = tuple[str | int, ...]

_HIDING = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|#.*""")
"""Matches strings and comments, whose brackets do not count."""


class Lines:
    """Finds the line of every key of a valid TOML text, by parsing it statement by statement."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        self._last: dict[Place, int] = {}
        self._table: Place = ()
        statement, start, depth = "", 1, 0.0
        for number, line in enumerate(text.split("\n"), start=1):
            statement += line + "\n"
            depth += _depth_change(line)
            tables = _parse_complete(statement) if depth <= 0 else None  # skips the lines inside a long array
            if tables is not None:
                self._note(statement, tables, start)
                statement, start, depth = "", number + 1, 0.0

    def line_of(self, path: Place) -> int | None:
        """Returns the line of this key, or of the nearest enclosing table; None if the file has neither."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path)

    def _note(self, statement: str, tables: dict[str, Any], line: int) -> None:
        if statement.lstrip().startswith("["):
            self._table = tuple(self._header(tables))
            for length in range(1, len(self._table) + 1):
                self._lines.setdefault(self._table[:length], line)
        else:
            for path in _paths(tables):
                self._lines.setdefault(self._table + path, line)

    def _header(self, tables: dict[str, Any]) -> Iterator[str | int]:
        """Yields the path of a header. Elements of an array of tables are numbered."""
        path: Place = ()
        value: Any = tables
        while value:
            key: str | int
            if isinstance(value, list):
                key = self._last[path] = self._last.get(path, -1) + 1
                value = value[0]
            elif path in self._last:  # a table below the last element of the array
                key = self._last[path]
            else:
                key, value = next(iter(value.items()))
            path += (key,)
            yield key


def _depth_change(line: str) -> float:
    """Returns opening minus closing brackets, or -inf at a multi-line string, where they cannot be counted."""
    if '"""' in line or "'''" in line:
        return -inf
    shown = _HIDING.sub("", line)
    return shown.count("[") - shown.count("]")


def _parse_complete(statement: str) -> dict[str, Any] | None:
    """Parses a statement; returns None inside a multi-line string, where it is incomplete."""
    try:
        return tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return None


def _paths(value: object) -> Iterator[Place]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (key,)
        yield from ((key, *path) for path in _paths(inner))


S = TypeVar("S", bound=Section)

WORDS = {
    "missing": "is missing",
    "int_type": "must be a whole number",
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "dict_type": "must be a section, with its keys on the lines below",
    "float_type": "must be a number",
    "finite_number": "must be finite",
    "greater_than": "must be more than {gt}",
    "list_type": 'must be a list of strings such as ["python", "bot.py"]',
    "too_short": "must not be empty",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
}
"""The words for each of pydantic's kinds of error; others use pydantic's own message."""


class Problems:
    """Collects problems, to report them all at once."""

    def __init__(self, file: Path, text: str, sections: Mapping[str, type[Section]]) -> None:
        """`sections` are the sections that the file may have."""
        self._file = file
        self._text = text
        self._sections = sections
        self._found: list[tuple[Place, str]] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, place: Place, text: str) -> None:
        """Adds a problem with the key at this place."""
        self._found.append((place, text))

    def concern(self, place: Place) -> bool:
        """Whether there is a problem with the key at this place."""
        return any(found == place for found, _ in self._found)

    def section(self, place: Place, label: str, model: type[S], keys: object) -> S | None:
        """Reads the section at this place; None if it is wrong."""
        try:
            return model.model_validate(keys)
        except ValidationError as error:
            for detail in error.errors():
                self.add(place + detail["loc"], f"{label} {_describe(detail, place, model, self._sections)}".rstrip())
            return None

    def error(self) -> ContestError:
        """Returns an error with all problems, in the order of the file."""
        lines = Lines(self._text)
        found = [(lines.line_of(place) or 0, text) for place, text in self._found]
        found.sort(key=lambda problem: problem[0])
        return ContestError("\n".join(f"{self._file}{f':{line}' if line else ''}: {text}" for line, text in found))


def _describe(detail: ErrorDetails, place: Place, model: type[Section], sections: Mapping[str, type[Section]]) -> str:
    key = ".".join(map(str, detail["loc"]))
    words = WORDS.get(detail["type"], detail["msg"]).format(**detail.get("ctx", {}))
    match detail["type"]:
        case "extra_forbidden":
            return unknown_key(key, model.model_fields, sections)
        case "model_type":
            return f"= {format_value(detail['input'])}: {WORDS['dict_type']}"
        case "missing":
            return f"{key} {words}"
        case _:
            return f"{key} = {format_value(detail['input'])}: {words}"


def unknown_key(key: str, known: Iterable[str], sections: Mapping[str, type[Section]]) -> str:
    """Returns the message about an unknown key, with the section that it belongs to if there is one."""
    if elsewhere := [name for name, model in sections.items() if key in model.model_fields]:
        return f"Unknown key {key!r}. It belongs under {header(elsewhere[0])}."
    return unknown("key", key, known)


def header(section: str) -> str:
    """Returns a section's header as the file writes it."""
    return f"[[{section}]]" if section in ("bots", "models", "staff", "mark") else f"[{section}]"


def format_value(value: object) -> str:
    """Returns a value roughly as the file writes it, on one line of limited length."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."
