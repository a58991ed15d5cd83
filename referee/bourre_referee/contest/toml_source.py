"""Parses a TOML file and finds the line of each key, which the standard library does not report."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

from bourre_referee.model.errors import ContestError


def read_text(path: Path, kind: str) -> str:
    """Reads the file; raises ContestError if it cannot. `kind` names the file expected, such as "contest file"."""
    try:
        written = path.read_bytes()
    except OSError as error:
        raise ContestError(f"{path}: cannot be read ({error.strerror}); give the path of a {kind}") from error
    if b"\0" in written:
        raise ContestError(f"{path}: it is UTF-16 or no text; save it as UTF-8")
    try:
        return written.decode("utf-8-sig")  # some editors write a byte-order mark
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ContestError(f"{path}:{line}: a character is not UTF-8, but perhaps Latin-1; save it as UTF-8") from error


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Parses the file's tables; raises ContestError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContestError(f"{path}: it is not TOML: {error}") from error


Place = tuple[str | int, ...]

_HIDING = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|#.*""")
"""Strings and comments, in which brackets do not count."""


class Lines:
    """The line of every key of a valid TOML text, found by parsing it statement by statement."""

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
        """Returns the line of this key or of the nearest table around it; None if neither is in the file."""
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
        """Yields the path that a header opens; elements of an array of tables are numbered."""
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
    """Counts opening minus closing brackets; -inf at a multi-line string, after which the count is unknown."""
    if '"""' in line or "'''" in line:
        return -inf
    shown = _HIDING.sub("", line)
    return shown.count("[") - shown.count("]")


def _parse_complete(statement: str) -> dict[str, Any] | None:
    """Parses a statement; None while it is incomplete (inside a multi-line string)."""
    try:
        return tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return None


def _paths(value: object) -> Iterator[Place]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (key,)
        yield from ((key, *path) for path in _paths(inner))
