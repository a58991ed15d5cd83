"""Counts what each seat did in a match, from the events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from bourre.rules.actions import Fault
from bourre.rules.events import DealEnded, Event, Faulted, HouseTookOver, MatchPaid, PotTaken, Reneged


@dataclass(slots=True)
class SeatCounts:
    """One seat's counts."""

    wins: int = 0
    """Deals in which it took the pot or a share of it."""
    bourres: int = 0
    """Deals in which it paid for taking no trick (R7.3)."""
    reneges: Counter[str] = field(default_factory=Counter)
    """Illegal cards, corrected or not, by the first broken rule."""
    faults: Counter[Fault] = field(default_factory=Counter)
    house_deals: int = 0
    """Deals that the referee finished for this seat."""

    def __add__(self, other: SeatCounts) -> SeatCounts:
        """Adds the counts of several matches."""
        return SeatCounts(
            self.wins + other.wins,
            self.bourres + other.bourres,
            self.reneges + other.reneges,
            self.faults + other.faults,
            self.house_deals + other.house_deals,
        )


class Counters:
    """Counts the events of one match from its start, by seat."""

    def __init__(self, seats: int) -> None:
        self.seats = tuple(SeatCounts() for _ in range(seats))
        self.house: set[int] = set()
        """The seats that the referee has taken over."""

    def hear(self, events: Iterable[Event]) -> None:
        """Counts these events."""
        for event in events:
            if (count := _COUNT_METHODS.get(type(event))) is not None:
                count(self, event)

    def _count_win(self, taken: PotTaken) -> None:
        self.seats[taken.seat].wins += 1

    def _count_bourre(self, paid: MatchPaid) -> None:
        self.seats[paid.seat].bourres += paid.bourred

    def _count_renege(self, reneged: Reneged) -> None:
        self.seats[reneged.seat].reneges[reneged.rule] += 1

    def _count_fault(self, faulted: Faulted) -> None:
        self.seats[faulted.seat].faults[faulted.fault] += 1

    def _hand_over(self, taken: HouseTookOver) -> None:
        self.house.add(taken.seat)

    def _count_house_deals(self, _: DealEnded) -> None:
        for seat in self.house:
            self.seats[seat].house_deals += 1


_COUNT_METHODS: Final[dict[type[Event], Callable[[Counters, Any], None]]] = {
    PotTaken: Counters._count_win,
    MatchPaid: Counters._count_bourre,
    Reneged: Counters._count_renege,
    Faulted: Counters._count_fault,
    HouseTookOver: Counters._hand_over,
    DealEnded: Counters._count_house_deals,
}
"""The method for each counted kind of event."""
