"""A key that stands twice in one object of a JSON text: each reader may take another of its values for the true one."""

from __future__ import annotations

import json
from collections import Counter

from bourre_referee.text.names import shortened

LONGEST_KEY = 60
"""Characters of it that are told."""


def repeated_key(text: str | bytes) -> str | None:
    """What is wrong in this JSON text, which can be read, where an object has a key twice; None where none has."""
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        times = Counter(key for key, _ in pairs)
        found.extend(key for key in times if times[key] > 1)

    # Numbers stay text: they may be longer than Python likes to read.
    json.loads(text, object_pairs_hook=note, parse_int=str, parse_float=str)
    return f"the key {shortened(found[0], LONGEST_KEY)!r} stands twice in one object" if found else None
