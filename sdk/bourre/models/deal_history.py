"""What happened in the latest deals of a match, in words."""

from __future__ import annotations

from collections import deque

from bourre.rules.events import (
    DealEnded,
    DealStarted,
    Declared,
    Event,
    MatchPaid,
    Penalized,
    PotCarried,
    PotTaken,
    Stayed,
)

_TOLD = (Declared, Stayed, PotTaken, PotCarried, MatchPaid, Penalized)


class DealHistory:
    """Follows the events of a match and keeps the latest deals."""

    def __init__(self, deals: int) -> None:
        self._ended: deque[str] = deque(maxlen=deals)
        self._told: list[str] = []

    def hear(self, event: Event) -> None:
        """Follows an event."""
        if isinstance(event, DealStarted):
            self._told = []
        elif isinstance(event, _TOLD):
            self._told.append(str(event))
        elif isinstance(event, DealEnded):
            self._ended.append(f"- deal {event.deal}: {'; '.join(self._told)}")

    def text(self) -> str:
        """Returns a line for each of the latest deals; empty before the second deal."""
        return "\n".join(self._ended)
