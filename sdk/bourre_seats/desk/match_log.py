"""What has happened in a match, in words, as far as this seat may know it."""

from __future__ import annotations

from bourre.rules.events import DealEnded, Event, MatchPaid, PotCarried, PotShared, PotTaken
from bourre.words.table_words import DealLines

FULL_DEALS, SHORT_DEALS = 10, 200
"""How many deals are remembered in full, and how many by their outcome alone."""
_OUTCOMES = (DealEnded, MatchPaid, PotCarried, PotShared, PotTaken)


class MatchLog:
    """The events of one match, the latest deals in full and earlier ones by their outcome."""

    def __init__(self) -> None:
        self._full = DealLines(FULL_DEALS)
        self._short = DealLines(SHORT_DEALS, _OUTCOMES)

    def hear(self, event: Event) -> None:
        """Adds an event."""
        self._full.hear(event)
        self._short.hear(event)

    def deal(self, number: int = 0) -> list[str]:
        """Returns what happened in this deal, or if it is 0 in the latest; empty if it is not remembered."""
        return self._full.of_deal(number)

    def outcomes(self) -> list[str]:
        """Returns a line for each deal that has ended, the earliest first."""
        return self._short.of_ended()
