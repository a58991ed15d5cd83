"""Waits for another referee's end, or for a server that is gone, unless the run is asked to stop."""

from __future__ import annotations

from collections.abc import Callable
from select import select
from time import sleep

from bourre_referee.runner.interrupt import Stop


class PlayPatience:
    """Waits as long as it takes; a signal ends the wait."""

    def __init__(self, tell: Callable[[str], None], stop: Stop | None) -> None:
        self.tell = tell
        self._stop = stop

    def wait(self, seconds: float) -> bool:
        """Waits that long; False at once if the run was asked to stop."""
        if self._stop is None:
            sleep(seconds)
            return True
        return not self._stop.asked and not select([self._stop], [], [], seconds)[0]
