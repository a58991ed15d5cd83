"""Which bots broke which rules, and which failed to answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bourre_referee.model.stored import StoredSeat


@dataclass(frozen=True, slots=True)
class Conduct:
    """The reneges and faults of one bot in all its matches."""

    bot: str
    matches: int
    reneges: tuple[tuple[str, int], ...]
    """How often each rule was the first that a card broke."""
    faults: tuple[tuple[str, int], ...]
    """How often it made each kind of fault."""
    house_deals: int
    """In how many deals the house played its seat."""


class ConductCounter:
    """Counts reneges and faults, match by match."""

    def __init__(self) -> None:
        self._matches: Counter[str] = Counter()
        self._house: Counter[str] = Counter()
        self._reneges: Counter[tuple[str, str]] = Counter()
        self._faults: Counter[tuple[str, str]] = Counter()

    def add(self, seats: Iterable[StoredSeat]) -> None:
        """Counts the seats of one match."""
        for seat in seats:
            self._matches[seat.bot] += 1
            self._house[seat.bot] += seat.house_deals
            self._reneges.update({(seat.bot, rule): times for rule, times in seat.reneges_by_rule})
            self._faults.update({(seat.bot, kind): times for kind, times in seat.faults_by_kind})

    def summarise(self, bots: Sequence[str]) -> tuple[Conduct, ...]:
        """Returns the conduct of every bot, in this order."""
        return tuple(
            Conduct(
                bot, self._matches[bot], _counts_of(bot, self._reneges), _counts_of(bot, self._faults), self._house[bot]
            )
            for bot in bots
        )


def _counts_of(bot: str, counts: Counter[tuple[str, str]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((what, times) for (who, what), times in counts.items() if who == bot))
