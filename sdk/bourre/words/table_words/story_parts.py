"""The parts of a deal's story: seats, cards, tricks, incidents, outcomes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from bourre.rules.cards import Card
from bourre.rules.events import (
    DealEnded,
    Declared,
    Drew,
    Event,
    FinePaid,
    MatchEnded,
    MatchPaid,
    PotCarried,
    PotShared,
    PotTaken,
    Stayed,
    TurnedTaken,
)

Outcome = PotTaken | PotCarried | MatchPaid | FinePaid | DealEnded | PotShared | MatchEnded


@dataclass(slots=True)
class SeatStory:
    """The cards and the actions of one seat."""

    dealt: tuple[Card, ...] | None = None
    """Empty if its cards are hidden; None before the deal."""
    declared: Declared | None = None
    took: TurnedTaken | None = None
    """The turned card, taken in exchange for a discard (R3.2)."""
    drew: Drew | None = None
    stayed: Stayed | None = None
    """Its decision after the draw, if the house rules ask for one."""
    hand: list[Card] = field(default_factory=list)
    """The cards held at this point of the story, lowest first; empty if they are hidden."""
    tricks: int = 0
    paid: int = 0
    """Chips that it paid: antes, stake, fines, and to match the pot."""
    barred: bool = False
    """Whether it cannot win this pot (R8)."""

    @property
    def plays(self) -> bool:
        """Whether the seat plays this deal."""
        return self.declared is not None and self.declared.plays and not self.left

    @property
    def left(self) -> bool:
        """Whether it passed after the draw."""
        return self.stayed is not None and not self.stayed.stays

    def exchange(self, given: Collection[Card], received: Iterable[Card]) -> None:
        """Changes the hand, if known."""
        if self.dealt:
            self.hand = sorted([*(card for card in self.hand if card not in given), *received])

    def is_ready(self, must_stay: bool) -> bool:
        """Returns whether the seat is out or has finished the decisions before the play."""
        if self.declared is None or not self.plays:
            return self.declared is not None
        return self.drew is not None and (self.stayed is not None or not must_stay)


@dataclass(slots=True)
class PlayedCard:
    """One card of a trick."""

    card: Card
    reneged: bool = False
    """Whether it is a renege that stood or the correction of a renege."""
    by_referee: bool = False


@dataclass(slots=True)
class TrickStory:
    """One trick by seat. The first seat led."""

    cards: dict[int, PlayedCard] = field(default_factory=dict)
    winner: int | None = None

    def before(self, seat: int) -> tuple[Card, ...]:
        """Returns the cards played before this seat's card, or all cards if it has not played."""
        seats = list(self.cards)
        until = seats.index(seat) if seat in seats else len(seats)
        return tuple(self.cards[other].card for other in seats[:until])


@dataclass(frozen=True, slots=True)
class Incident:
    """An unusual event."""

    event: Event
    trick: int
    """The number of the trick, starting at 1; 0 before the play."""
    hand: tuple[Card, ...] = ()
    """The seat's hand at that moment; empty if it does not matter."""
    played: tuple[Card, ...] = ()
    """The cards played to the trick before this seat's; empty if they do not matter."""
