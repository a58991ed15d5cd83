"""What each seat did in a match, counted from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bourre.rules.actions import Fault
from bourre.rules.events import (
    CardPlayed,
    DealEnded,
    Event,
    Faulted,
    HouseTookOver,
    MatchPaid,
    PotTaken,
    Reneged,
    TrickTaken,
)


@dataclass(slots=True)
class SeatTally:
    """One seat's counts."""

    wins: int = 0
    """Deals in which it took the pot, or a share of it."""
    bourres: int = 0
    """Deals in which it paid for taking no trick (R7.3)."""
    reneges: Counter[str] = field(default_factory=Counter)
    """Cards against R5 or R6, corrected or not, by the first rule that they broke."""
    faults: Counter[Fault] = field(default_factory=Counter)
    house_deals: int = 0
    """Deals of which the house played at least the end."""

    def __add__(self, other: SeatTally) -> SeatTally:
        """Both together, as of several matches."""
        return SeatTally(
            self.wins + other.wins,
            self.bourres + other.bourres,
            self.reneges + other.reneges,
            self.faults + other.faults,
            self.house_deals + other.house_deals,
        )


class Tally:
    """Hears the events of one match from its start; `seats` holds the counts."""

    def __init__(self, seats: int) -> None:
        self.seats = tuple(SeatTally() for _ in range(seats))
        self.house: set[int] = set()
        """The seats that the house plays by now."""

    def hear(self, events: Iterable[Event]) -> None:
        """Counts what these events tell."""
        for event in events:
            if isinstance(event, (CardPlayed, TrickTaken)):  # by far the most, of which nothing is counted
                continue
            match event:
                case PotTaken(seat):
                    self.seats[seat].wins += 1
                case MatchPaid(seat, bourred=True):
                    self.seats[seat].bourres += 1
                case Reneged(seat, rule=rule):
                    self.seats[seat].reneges[rule] += 1
                case Faulted(seat, fault):
                    self.seats[seat].faults[fault] += 1
                case HouseTookOver(seat):
                    self.house.add(seat)
                case DealEnded():
                    for seat in self.house:
                        self.seats[seat].house_deals += 1
