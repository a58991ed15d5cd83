"""What a search has found before, asked for by whoever can remember it: the schedule itself remembers nothing."""

from collections.abc import Callable
from hashlib import sha256
from typing import Protocol

Rows = tuple[tuple[int, ...], ...]
"""What a search finds: base blocks, or line-ups."""


class Memory(Protocol):
    """Gives what was found under this name before, or finds it. It may forget, and may not change anything."""

    def __call__(self, name: str, find: Callable[[], Rows]) -> Rows:
        """What `find()` returns."""


def afresh(name: str, find: Callable[[], Rows]) -> Rows:
    """The memory of one who remembers nothing."""
    return find()


def name_of(search: str, *numbers: int, before: object = ()) -> str:
    """What a search is remembered by: its kind, its numbers, and what was played before."""
    past = sha256(repr(before).encode()).hexdigest()[:16] if before else "0"
    return "-".join([search, *map(str, numbers), past])
