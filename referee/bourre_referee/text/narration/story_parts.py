"""What a deal's story is made of: a seat, a card, a trick, something out of the ordinary, an outcome."""

from __future__ import annotations

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
    """What one seat was dealt and did."""

    dealt: tuple[Card, ...] = ()
    declared: Declared | None = None
    took: TurnedTaken | None = None
    """The turned card, for a discard (R3.2)."""
    drew: Drew | None = None
    stayed: Stayed | None = None
    """After the draw, where the house asks for that."""
    hand: list[Card] = field(default_factory=list)
    """The cards held now; they dwindle as the story is told."""
    tricks: int = 0

    @property
    def plays(self) -> bool:
        """Whether the seat is in."""
        left = self.stayed is not None and not self.stayed.stays
        return self.declared is not None and self.declared.plays and not left

    def is_ready(self, second_pass: bool) -> bool:
        """Whether it is out, or has done all that comes before the play."""
        if self.declared is None or self.plays is False:
            return self.declared is not None
        return self.drew is not None and (self.stayed is not None or not second_pass)


@dataclass(slots=True)
class PlayedCard:
    """One card of a trick, and what was wrong with it."""

    card: Card
    reneged: bool = False
    """It broke a rule and stood, or it corrected such a card."""
    by_referee: bool = False


@dataclass(slots=True)
class TrickStory:
    """One trick, by seat; the first seat led."""

    cards: dict[int, PlayedCard] = field(default_factory=dict)
    winner: int | None = None

    def before(self, seat: int) -> tuple[Card, ...]:
        """The cards that lay when this seat played, or all where it has not."""
        seats = list(self.cards)
        until = seats.index(seat) if seat in seats else len(seats)
        return tuple(self.cards[other].card for other in seats[:until])


@dataclass(frozen=True, slots=True)
class Incident:
    """Something out of the ordinary, in the trick (from 1) where it happened; 0: before the play."""

    event: Event
    trick: int
    hand: tuple[Card, ...] = ()
    """What the seat held at that moment; empty where it does not matter."""
    lying: tuple[Card, ...] = ()
    """The cards of the trick before its own; likewise."""
