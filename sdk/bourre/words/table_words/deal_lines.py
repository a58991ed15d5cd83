"""Keeps the sentences about a match's events: the latest deals in full, earlier ones by their outcome."""

from __future__ import annotations

from collections import deque

from bourre.rules.events import DealEnded, DealStarted, Event, MatchPaid, PotCarried, PotShared, PotTaken


class DealLines:
    """The events of a match by deal, a sentence for each."""

    def __init__(self, deals: int, kinds: tuple[type[Event], ...] = ()) -> None:
        """Keeps the last `deals` deals, including the one in progress. Keeps events of these kinds, by default all."""
        self._deals: deque[tuple[int, list[str]]] = deque([(0, [])], deals)
        self._kinds = kinds
        self._in_progress = True

    def hear(self, event: Event, words: str) -> None:
        """Adds an event with its words."""
        if isinstance(event, DealStarted):
            self._deals.append((event.deal, []))
        if isinstance(event, (DealStarted, DealEnded)):
            self._in_progress = isinstance(event, DealStarted)
        if not self._kinds or isinstance(event, self._kinds):
            self._deals[-1][1].append(words)

    def of_deal(self, number: int = 0) -> list[str]:
        """Returns the events of this deal, or of the latest if it is 0; empty if the deal is not kept."""
        wanted = number or self._deals[-1][0]
        return next((lines for deal, lines in self._deals if deal == wanted), [])

    def of_ended(self) -> list[str]:
        """Returns a line for each finished deal, the earliest first."""
        deals = list(self._deals)
        if self._in_progress:
            del deals[-1]
        return [f"deal {deal}: {'; '.join(lines)}" for deal, lines in deals if lines]


FULL_DEALS, SHORT_DEALS = 10, 200
"""The number of deals that are remembered in full, and by their outcome alone."""
_OUTCOMES = (DealEnded, MatchPaid, PotCarried, PotShared, PotTaken)


class MatchLog:
    """The events of one match: the latest deals in full, and earlier deals by their outcome."""

    def __init__(self) -> None:
        self._full = DealLines(FULL_DEALS)
        self._short = DealLines(SHORT_DEALS, _OUTCOMES)

    def hear(self, event: Event, words: str) -> None:
        """Adds an event with its words."""
        self._full.hear(event, words)
        self._short.hear(event, words)

    def deal(self, number: int = 0) -> list[str]:
        """Returns the events of this deal, or of the latest if it is 0; empty if the deal is not remembered."""
        return self._full.of_deal(number)

    def outcomes(self) -> list[str]:
        """Returns a line for each finished deal, the earliest first."""
        return self._short.of_ended()
