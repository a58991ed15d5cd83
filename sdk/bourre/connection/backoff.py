"""How long a bot waits before each attempt to reconnect."""

from __future__ import annotations

import os
from collections.abc import Callable

SECONDS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8)
"""The pauses before the first attempts."""


def by_chance() -> float:
    """Returns a number from 0 to 1; the module `random` would take a bot longer to load than all the rest."""
    return os.urandom(1)[0] / 255


class Pauses:
    """Longer and longer pauses; a bot from afar goes on with the longest one, for as long as it may."""

    def __init__(self, draw: Callable[[], float] = by_chance) -> None:
        """`draw` returns a number from 0 to 1."""
        self._draw = draw
        self._taken = 0

    def take(self, *, is_remote: bool) -> float | None:
        """Returns the next pause in seconds; None if there is none.

        Bots from afar take half of it to all of it, by chance: a thousand that come together, or that lost their
        referee together, are let in one by one.
        """
        if self._taken >= len(SECONDS) and not is_remote:
            return None
        pause = SECONDS[min(self._taken, len(SECONDS) - 1)]
        self._taken += 1
        return pause * (1 + self._draw()) / 2 if is_remote else pause

    def start_over(self) -> None:
        """Begins with the shortest pause again."""
        self._taken = 0
