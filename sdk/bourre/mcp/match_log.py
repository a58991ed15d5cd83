"""What has happened in a match, in words, as far as this seat may know it."""

from __future__ import annotations

from collections import deque

from bourre.rules.events import DealEnded, DealStarted, Event, MatchPaid, PotCarried, PotShared, PotTaken

FULL_DEALS, SHORT_DEALS = 10, 200
"""How many deals are remembered in full, and how many by their outcome alone."""
_OUTCOMES = (DealEnded, MatchPaid, PotCarried, PotShared, PotTaken)


class MatchLog:
    """The events of one match, the latest deals in full and earlier ones by their outcome."""

    def __init__(self) -> None:
        self._deals: deque[tuple[int, list[str]]] = deque([(0, [])], FULL_DEALS)
        self._outcomes: deque[tuple[int, list[str]]] = deque([(0, [])], SHORT_DEALS)

    def hear(self, event: Event) -> None:
        """Adds an event."""
        if isinstance(event, DealStarted):
            self._deals.append((event.deal, []))
            self._outcomes.append((event.deal, []))
        self._deals[-1][1].append(str(event))
        if isinstance(event, _OUTCOMES):
            self._outcomes[-1][1].append(str(event))

    def deal(self, number: int = 0) -> list[str]:
        """Returns what happened in this deal, or if it is 0 in the latest; empty if it is not remembered."""
        wanted = number or self._deals[-1][0]
        return next((lines for deal, lines in self._deals if deal == wanted), [])

    def outcomes(self) -> list[str]:
        """Returns a line for each deal that has ended, the earliest first."""
        return [f"deal {deal}: {'; '.join(lines)}" for deal, lines in self._outcomes if lines]
