"""Collects every problem of a contest file, each with its line and a hint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from bourre_referee.contest.contest_keys import Section
from bourre_referee.contest.toml_source import Lines, Place
from bourre_referee.model.errors import ContestError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

S = TypeVar("S", bound=Section)

WORDS = {
    "missing": "is missing",
    "int_type": "write a whole number",
    "string_type": "write a text in quotes",
    "bool_type": "write true or false",
    "dict_type": "write its keys on lines of their own below it",
    "float_type": "write a number",
    "finite_number": "write a number that is finite",
    "greater_than": "write more than {gt}",
    "list_type": 'write a list of texts, as ["python", "bot.py"]',
    "too_short": "write at least one word",
    "literal_error": "write {expected}",
    "greater_than_equal": "write {ge} or more",
    "less_than_equal": "write {le} or less",
}
"""The hint for each of pydantic's kinds of error; others use pydantic's own message."""


class Problems:
    """Collects problems, to report them all at once."""

    def __init__(self, file: Path, text: str, sections: Mapping[str, type[Section]]) -> None:
        """`sections` are the sections that such a file may have."""
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
        """Returns an error with all problems in the order of the file, one per line."""
        lines = Lines(self._text)
        found = [(lines.line_of(place) or 0, text) for place, text in self._found]
        found.sort(key=lambda problem: problem[0])
        return ContestError("\n".join(f"{self._file}{f':{line}' if line else ''}: {text}" for line, text in found))


def _describe(detail: ErrorDetails, place: Place, model: type[Section], sections: Mapping[str, type[Section]]) -> str:
    key = ".".join(map(str, detail["loc"]))
    words = WORDS.get(detail["type"], detail["msg"]).format(**detail.get("ctx", {}))
    match detail["type"]:
        case "extra_forbidden":
            return f"there is no key {key!r} here{hint(key, model.model_fields, str(place[0]), sections)}"
        case "model_type":
            return f"= {format_value(detail['input'])}: write its keys on lines of their own below it"
        case "missing":
            return f"{key} {words}"
        case _:
            return f"{key} = {format_value(detail['input'])}: {words}"


def hint(word: str, known: Iterable[str], section: str, sections: Mapping[str, type[Section]]) -> str:
    """Suggests a similar key, the section where the key belongs, or all the keys there are."""
    known = list(known)
    if close := get_close_matches(word, known, n=1):
        return f": did you mean {close[0]!r}?"
    elsewhere = [name for name, model in sections.items() if name != section and word in model.model_fields]
    if elsewhere:
        return f": it belongs under {header(elsewhere[0])}"
    return f": there are {', '.join(known)}"


def header(section: str) -> str:
    """Returns a section's header as the file writes it."""
    return f"[[{section}]]" if section in ("bots", "staff", "mark") else f"[{section}]"


def format_value(value: object) -> str:
    """Returns a value roughly as the file writes it, on one line of limited length."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."
