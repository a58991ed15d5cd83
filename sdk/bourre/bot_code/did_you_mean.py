"""Finds the name that a misspelt one was meant to be, on every Python: some suggest none for fields and imports."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

CANNOT_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
"""How Python names what a module does not have, and the module."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Asks whether the nearest of the known names was meant; empty if none is near."""
    from difflib import get_close_matches  # seldom needed, and slow to load

    private = name.startswith("_")
    close = get_close_matches(name, [word for word in known if word.startswith("_") == private], n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def did_you_mean_for(error: BaseException) -> str:
    """Asks the same for an error about a missing field, or a name that a module does not have; empty for any other."""
    if isinstance(error, AttributeError) and error.name and error.obj is not None:
        return did_you_mean(error.name, dir(error.obj))
    if isinstance(error, ImportError) and (missing := CANNOT_IMPORT.search(str(error))):
        return did_you_mean(missing[1], dir(sys.modules.get(missing[2])))
    return ""
