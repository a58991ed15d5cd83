"""The waits of a referee: for another one's end, or for a server that is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from bourre_referee.model.errors import StoreGone

T = TypeVar("T")

RETRY_S = 1.0
"""The seconds between two tries to reach a server that is gone."""


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


def until_back(patience: Waiting, work: Callable[[], T]) -> T:
    """Does the work, again if the server was gone meanwhile, as often as `patience` allows.

    The work is safe to repeat. Raises StoreGone if the user asked to stop.
    """
    told = False
    while True:
        try:
            done = work()
        except StoreGone as gone:
            if not told:
                patience.tell(f"{gone}\nThis waits for it.")
            told = True
            if not patience.wait(RETRY_S):
                raise
        else:
            if told:
                patience.tell("the server of the database is back")
            return done
