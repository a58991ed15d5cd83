"""What each seat did in a match, counted from its events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre.rules.events import DealEnded, Event, Faulted, HouseTookOver, MatchPaid, PotTaken, Reneged


@dataclass(slots=True)
class SeatTally:
    """One seat's counts."""

    wins: int = 0
    """Deals in which it took the pot, or a share of it."""
    bourres: int = 0
    """Deals in which it paid for taking no trick (R7.3)."""
    reneges: int = 0
    """Cards against R5 or R6, corrected or not."""
    faults: int = 0
    house_deals: int = 0
    """Deals in which the house played the seat, were it only to the end."""


class Tally:
    """Hears the events of one match from its start; `seats` holds the counts."""

    def __init__(self, seats: int) -> None:
        self.seats = tuple(SeatTally() for _ in range(seats))
        self._house: set[int] = set()

    def hear(self, events: Iterable[Event]) -> None:
        """Counts what these events tell."""
        for event in events:
            match event:
                case PotTaken(seat):
                    self.seats[seat].wins += 1
                case MatchPaid(seat, bourred=True):
                    self.seats[seat].bourres += 1
                case Reneged(seat):
                    self.seats[seat].reneges += 1
                case Faulted(seat):
                    self.seats[seat].faults += 1
                case HouseTookOver(seat):
                    self._house.add(seat)
                case DealEnded():
                    for seat in self._house:
                        self.seats[seat].house_deals += 1
