"""One line of a record: JSON whose values are checked while they are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NoReturn

from bourre.record.record import RecordError

LONGEST = 1_000_000
"""The most characters of a line. A record may come from a stranger, and parsed JSON takes many times its size."""


class JsonLine:
    """A line with its number, from 1, for the errors."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text
        if len(text) > LONGEST:
            self.fail(f"it has {len(text):,} characters, but a line has at most {LONGEST:,}")
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fail(f"this is not JSON ({error})")
        if not isinstance(values, dict):
            self.fail("this is not a JSON object")
        if "\\ud" in text and _has_half_character(values):
            self.fail("it contains half of a character, which no file can hold")
        self._values: dict[str, object] = values

    def fail(self, why: str) -> NoReturn:
        """Raises RecordError with this line's number."""
        raise RecordError(f"line {self.number}: {why}") from None

    def has(self, key: str) -> bool:
        """Returns whether the line has this key."""
        return key in self._values

    def get(self, key: str) -> object:
        """Returns the value of a key; raises RecordError if it is missing."""
        if key not in self._values:
            self.fail(f"{key!r} is missing")
        return self._values[key]

    def get_int(self, key: str) -> int:
        """Returns the whole number at a key; raises RecordError for anything else."""
        value = self.get(key)
        if type(value) is not int:
            self.fail(f"{key!r} must be a whole number")
        return value

    def get_text(self, key: str) -> str:
        """Returns the string at a key; raises RecordError for anything else."""
        value = self.get(key)
        if not isinstance(value, str):
            self.fail(f"{key!r} must be a string")
        return value

    def get_ints(self, key: str, length: int | None = None) -> tuple[int, ...]:
        """Returns the whole numbers at a key, exactly `length` if given; raises RecordError for anything else."""
        found = self._list(key, length)
        values = tuple([value for value in found if type(value) is int])
        if len(values) != len(found):
            self.fail(f"{key!r} must hold whole numbers")
        return values

    def get_texts(self, key: str, length: int | None = None) -> tuple[str, ...]:
        """Returns the strings at a key, exactly `length` if given; raises RecordError for anything else."""
        found = self._list(key, length)
        values = tuple([value for value in found if isinstance(value, str)])
        if len(values) != len(found):
            self.fail(f"{key!r} must hold strings")
        return values

    def get_object(self, key: str) -> dict[str, object]:
        """Returns the JSON object at a key; raises RecordError for anything else."""
        value = self.get(key)
        if not isinstance(value, dict):
            self.fail(f"{key!r} must be an object")
        return value

    def _list(self, key: str, length: int | None) -> Sequence[object]:
        value = self.get(key)
        if not isinstance(value, list) or (length is not None and len(value) != length):
            self.fail(f"{key!r} must be a list" + ("" if length is None else f" of {length}"))
        return value


def _has_half_character(values: dict[str, object]) -> bool:
    try:
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
