"""Where each key of a TOML text stands: the parser of the standard library does not say."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

Place = tuple[str | int, ...]


class Lines:
    """The line of every key of a valid TOML text, found by parsing it statement by statement."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        self._tables: dict[Place, int] = {}
        self._table: Place = ()
        statement, start = "", 1
        for number, line in enumerate(text.split("\n"), start=1):
            statement += line + "\n"
            parsed = _parsed(statement)
            if parsed is not None:
                self._note(statement, parsed, start)
                statement, start = "", number + 1

    def line_of(self, path: Place) -> int | None:
        """The line of this key, or of the nearest table around it; None when nothing of it is written."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path)

    def _note(self, statement: str, parsed: dict[str, Any], line: int) -> None:
        if statement.lstrip().startswith("["):
            self._table = tuple(self._opened(parsed))
            for length in range(1, len(self._table) + 1):
                self._lines.setdefault(self._table[:length], line)
        else:
            for path in _paths(parsed):
                self._lines.setdefault(self._table + path, line)

    def _opened(self, parsed: dict[str, Any]) -> Iterator[str | int]:
        """The path that a header opens; the elements of an array of tables are counted."""
        path: Place = ()
        value: Any = parsed
        while value:
            if isinstance(value, list):
                key: str | int = self._tables.get(path, 0)
                self._tables[path] = self._tables.get(path, 0) + 1
                value = value[0]
            else:
                key, value = next(iter(value.items()))
            path += (key,)
            yield key


def _parsed(statement: str) -> dict[str, Any] | None:
    """What this statement says; None while it is incomplete (an array over several lines)."""
    try:
        return tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return None


def _paths(value: object) -> Iterator[Place]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (key,)
        yield from ((key, *path) for path in _paths(inner))
