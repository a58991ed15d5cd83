"""Compare a JSON document that a stranger may have written with the true one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isclose

from bourre_referee.storage.untrusted_files import repeated_key
from bourre_referee.verify.difference import Difference

MAX_LENGTH_RATIO = 4
"""A document that is more than this many times as long as the true one is not parsed."""


def parse_document(name: str, text: str, true_length: int) -> object:
    """Parse the document in the file of this name; raises Difference if it is too long, or no JSON."""
    if len(text) > MAX_LENGTH_RATIO * true_length:
        raise Difference(f"{name}: it has {len(text):,} characters, should have about {true_length:,}")
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Difference(f"{name}: it is not JSON ({error})") from error
    if problem := repeated_key(text):
        raise Difference(f"{name}: {problem}")
    return document


def json_differences(found: object, true: object, tolerance: float = 0.0, path: str = "") -> Iterator[str]:
    """Yield where two documents differ; numbers with a fraction may differ by the tolerance, absolute or relative."""
    if isinstance(found, dict) and isinstance(true, dict) and found.keys() == true.keys():
        for key, value in true.items():
            yield from json_differences(found[key], value, tolerance, f"{path}.{key}" if path else key)
    elif isinstance(found, list) and isinstance(true, list) and len(found) == len(true):
        for place, (one, other) in enumerate(zip(found, true, strict=True)):
            yield from json_differences(one, other, tolerance, f"{path}[{place}]")
    elif type(found) is not type(true) or not _is_same(found, true, tolerance):
        yield f"{path or 'the document'} is {_shorten(found)}, should be {_shorten(true)}"


def _is_same(found: object, true: object, tolerance: float) -> bool:
    if isinstance(found, float) and isinstance(true, float):
        return isclose(found, true, rel_tol=tolerance, abs_tol=tolerance)
    return found == true


def _shorten(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
