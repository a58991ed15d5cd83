"""The error that ends a verification at the first difference."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isclose

from bourre.rules.errors import BourreError
from bourre_referee.storage.files.untrusted_files import repeated_key

LONGEST, SHOWN = 2_000, 200
"""The most characters in the text of a difference, and in a value that it quotes."""


class Difference(BourreError):
    """The first fact that does not follow from seed, terms and records: its place, its value and the expected value."""

    def __init__(self, text: str, match: str | None = None, deal: int | None = None) -> None:
        text = _cut(text, LONGEST)  # stored values may be of any length
        match = match and _cut(match, SHOWN)
        place = "".join((f"match {match}" if match else "", f", deal {deal}" if deal else ""))
        super().__init__(f"{place}: {text}" if place else text)
        self.match = match
        """The match, or None if the difference concerns the whole run."""
        self.deal = deal
        """The deal's number, from 1. None if the difference is outside any deal."""
        self.text = text

    def __reduce__(self) -> tuple[type[Difference], tuple[str, str | None, int | None]]:
        """Supports pickling, because worker processes raise this error."""
        return Difference, (self.text, self.match, self.deal)


def check(what: str, found: object, true: object, match: str | None = None, deal: int | None = None) -> None:
    """Raises Difference unless the value found equals the true one."""
    if found != true:
        raise Difference(f"{what} is {_show(found)}, should be {_show(true)}", match, deal)


def _show(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return " ".join(map(_show, value)) or "nothing"
    text = str(value) if isinstance(value, int) else repr(value)
    return _cut(text, SHOWN)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


MAX_LENGTH_RATIO = 4
"""A document that is this many times longer than the true one is not parsed."""


def parse_document(name: str, text: str, true_length: int) -> object:
    """Parses the document in the file of this name. Raises Difference if it is too long, or not JSON."""
    if len(text) > MAX_LENGTH_RATIO * true_length:
        raise Difference(f"{name}: its length is {len(text):,} characters, should be about {true_length:,}")
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Difference(f"{name}: it is not JSON ({error})") from error
    if problem := repeated_key(text):
        raise Difference(f"{name}: {problem}")
    return document


def json_differences(found: object, true: object, tolerance: float = 0.0, path: str = "") -> Iterator[str]:
    """Yields the differences of two documents. Fractions may differ by the tolerance, absolute or relative."""
    if isinstance(found, dict) and isinstance(true, dict) and found.keys() == true.keys():
        for key, value in true.items():
            yield from json_differences(found[key], value, tolerance, f"{path}.{key}" if path else key)
    elif isinstance(found, list) and isinstance(true, list) and len(found) == len(true):
        for place, (one, other) in enumerate(zip(found, true, strict=True)):
            yield from json_differences(one, other, tolerance, f"{path}[{place}]")
    elif type(found) is not type(true) or not _is_same(found, true, tolerance):
        one, other = (_cut(json.dumps(value), SHOWN) for value in (found, true))
        yield f"{path or 'the document'} is {one}, should be {other}"


def _is_same(found: object, true: object, tolerance: float) -> bool:
    if isinstance(found, float) and isinstance(true, float):
        return isclose(found, true, rel_tol=tolerance, abs_tol=tolerance)
    return found == true
