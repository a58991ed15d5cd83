"""How long a bot waits before each attempt to reconnect."""

from __future__ import annotations

import os
from collections.abc import Callable

SECONDS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8)
"""The pauses before the first attempts, in seconds."""


def random_share() -> float:
    """Returns a random number from 0 to 1 without the module `random`, which is slow to load."""
    return os.urandom(1)[0] / 255


class Backoff:
    """Exponentially growing pauses. A remote bot keeps the longest one until its grace period ends."""

    def __init__(self, draw: Callable[[], float] = random_share) -> None:
        """`draw` returns a number from 0 to 1."""
        self._draw = draw
        self._taken = 0

    def take(self, *, is_remote: bool) -> float | None:
        """Returns the next pause in seconds; None if there is none.

        A remote bot waits a random part of it, at least half, so that a thousand bots do not connect all at once.
        """
        if self._taken >= len(SECONDS) and not is_remote:
            return None
        pause = SECONDS[min(self._taken, len(SECONDS) - 1)]
        self._taken += 1
        return pause * (1 + self._draw()) / 2 if is_remote else pause

    def start_over(self) -> None:
        """Begins with the shortest pause again."""
        self._taken = 0
