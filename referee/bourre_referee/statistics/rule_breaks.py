"""Who broke rules, which, and who failed to answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bourre_referee.model.stored import StoredSeat


@dataclass(frozen=True, slots=True)
class Conduct:
    """Of one bot, in all its matches."""

    bot: str
    matches: int
    reneges: tuple[tuple[str, int], ...]
    """Each rule that its cards broke first, with how often."""
    faults: tuple[tuple[str, int], ...]
    """Each kind, likewise."""
    house_deals: int
    """In which the house played its seat."""


class ConductCount:
    """Counts one match after the other."""

    def __init__(self) -> None:
        self._matches: Counter[str] = Counter()
        self._house: Counter[str] = Counter()
        self._reneges: Counter[tuple[str, str]] = Counter()
        self._faults: Counter[tuple[str, str]] = Counter()

    def add(self, seats: Iterable[StoredSeat]) -> None:
        """The seats of one match."""
        for seat in seats:
            self._matches[seat.bot] += 1
            self._house[seat.bot] += seat.house_deals
            self._reneges.update({(seat.bot, rule): times for rule, times in seat.reneges_by_rule})
            self._faults.update({(seat.bot, kind): times for kind, times in seat.faults_by_kind})

    def conducts(self, bots: Sequence[str]) -> tuple[Conduct, ...]:
        """Every bot, in this order."""
        return tuple(
            Conduct(bot, self._matches[bot], _of(bot, self._reneges), _of(bot, self._faults), self._house[bot])
            for bot in bots
        )


def _of(bot: str, counts: Counter[tuple[str, str]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((what, times) for (who, what), times in counts.items() if who == bot))
