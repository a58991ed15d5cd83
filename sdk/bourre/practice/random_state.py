"""The module `random` in a process that several bots and their user's own program share."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


@contextmanager
def borrowed_random(seed: str) -> Iterator[None]:
    """Inside, `random` follows from this seed; afterwards it goes on as if nobody had drawn from it."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)


@cache
def mentions_random(module: str) -> bool:
    """Whether this module of a bot, or one loaded from the same folder, mentions `random`; True if it has no file.

    To seed takes half as long as a decision of practice, which bots that never draw do not pay.
    """
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return True
    loaded = {Path(getattr(each, "__file__", None) or "") for each in list(sys.modules.values())}
    return any(b"random" in path.read_bytes() for path in loaded if path.parent == Path(file).parent and path.is_file())
