"""How long a referee waits: for another one's end, or for a server that is gone."""

from __future__ import annotations

from typing import Protocol


class Waiting(Protocol):
    """Waits for what will come, such as a server that is gone, unless the user has enough of it."""

    def tell(self, text: str) -> None:
        """Tells the user what is being waited for."""

    def wait(self, seconds: float) -> bool:
        """Waits that long; False at once if the user asked to stop."""


class _AtOnce:
    """Waits for nothing."""

    def tell(self, text: str) -> None:
        """Says nothing: the error that follows does."""

    def wait(self, seconds: float) -> bool:
        """Never waits."""
        return False


AT_ONCE: Waiting = _AtOnce()
