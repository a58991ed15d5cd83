"""Suggests the known name closest to a misspelt one. Not every Python does so for fields and imports."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

CANNOT_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
"""Python's message for a name that a module lacks."""


def closest(name: str, known: Iterable[str]) -> str:
    """Returns the closest known name; empty if none is close."""
    from difflib import get_close_matches  # seldom needed, and slow to load

    others = [word for word in known if word != name and word.startswith("_") == name.startswith("_")]
    close = get_close_matches(name, others, n=1)
    return close[0] if close else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggests the closest known name, if one is close."""
    meant = closest(name, known)
    return f"Did you mean {meant!r}?" if meant else ""


def did_you_mean_for(error: BaseException) -> str:
    """Suggests a name for an error about a missing field or a missing name in a module, and nothing for others."""
    if isinstance(error, AttributeError) and error.name and error.obj is not None:
        return did_you_mean(error.name, dir(error.obj))
    if isinstance(error, ImportError) and (missing := CANNOT_IMPORT.search(str(error))):
        return did_you_mean(missing[1], dir(sys.modules.get(missing[2])))
    return ""
