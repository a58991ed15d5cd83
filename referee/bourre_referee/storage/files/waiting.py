"""The waits of a referee: for another one's end, or for a server that is gone."""

from __future__ import annotations

from typing import Protocol


class Waiting(Protocol):
    """Waits for an event, such as the return of a server, until the user stops it."""

    def tell(self, text: str) -> None:
        """Tells the user the reason of the wait."""

    def wait(self, seconds: float) -> bool:
        """Waits this long, and returns True. Returns False at once if the user asked to stop."""


class _AtOnce:
    """Never waits."""

    def tell(self, text: str) -> None:
        """Does nothing, because an error follows."""

    def wait(self, seconds: float) -> bool:
        """Never waits."""
        return False


AT_ONCE: Waiting = _AtOnce()
