"""The story of a deal: its events gathered by what they tell of, ready to be laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bourre.rules.cards import Card
from bourre.rules.events import (
    AntePaid,
    CardPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    HandDealt,
    MatchEnded,
    MatchPaid,
    Penalized,
    PotCarried,
    PotShared,
    PotTaken,
    Reneged,
    TrickTaken,
    TrumpTurned,
    TurnForfeited,
)

Outcome = PotTaken | PotCarried | MatchPaid | DealEnded | PotShared | MatchEnded


@dataclass(slots=True)
class SeatStory:
    """What one seat was dealt and did."""

    dealt: tuple[Card, ...] = ()
    declared: Declared | None = None
    drew: Drew | None = None
    hand: list[Card] = field(default_factory=list)
    """The cards held now; they dwindle as the story is told."""
    tricks: int = 0

    @property
    def plays(self) -> bool:
        """Whether the seat is in."""
        return self.declared is not None and self.declared.plays

    @property
    def ready(self) -> bool:
        """Whether it has passed, or declared and drawn."""
        return self.declared is not None and (not self.declared.plays or self.drew is not None)


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


@dataclass(frozen=True, slots=True)
class Incident:
    """Something out of the ordinary, in the trick (from 1) where it happened; 0: before the play."""

    event: Event
    trick: int
    hand: tuple[Card, ...]
    """What the seat held at that moment; empty where it does not matter."""


@dataclass(slots=True)
class DealStory:
    """One deal, while it is told and when it is complete."""

    bots: int
    pot: int
    """In the pot when the first card was led; until the antes are in, what was carried into the deal."""
    number: int = 0
    dealer: int = 0
    carried: int = 0
    antes: dict[int, int] = field(default_factory=dict)
    turned: TrumpTurned | None = None
    seats: list[SeatStory] = field(default_factory=list)
    tricks: list[TrickStory] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    outcome: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.carried = self.pot
        self.seats = [SeatStory() for _ in range(self.bots)]

    @property
    def order(self) -> tuple[int, ...]:
        """All seats, from the dealer's left."""
        return tuple((self.dealer + turn) % self.bots for turn in range(1, self.bots + 1))

    @property
    def settled(self) -> bool:
        """Whether the deal has come to its end."""
        return any(isinstance(event, DealEnded) for event in self.outcome)

    @property
    def next_pot(self) -> int:
        """What the deal left in the pot."""
        return next((event.pot for event in self.outcome if isinstance(event, DealEnded)), self.pot)

    def hear(self, event: Event) -> None:
        """Takes in what happened next."""
        match event:
            case DealStarted():
                self.number, self.dealer = event.deal, event.dealer
            case AntePaid():
                self.antes[event.seat] = event.chips
                self.pot += event.chips
            case HandDealt():
                self.seats[event.seat].dealt = event.cards or ()
                self.seats[event.seat].hand = list(event.cards or ())
            case TrumpTurned():
                self.turned = event
            case Declared():
                self.seats[event.seat].declared = event
            case Drew():
                self._draw(event)
            case CardPlayed() | TrickTaken():
                self._play(event)
            case PotTaken() | PotCarried() | MatchPaid() | DealEnded() | PotShared() | MatchEnded():
                self.outcome.append(event)
            case _:
                self._note(event)

    def _draw(self, event: Drew) -> None:
        seat = self.seats[event.seat]
        seat.drew = event
        kept = [card for card in seat.hand if card not in (event.discarded or ())]
        seat.hand = sorted([*kept, *(event.received or ())])

    def _play(self, event: CardPlayed | TrickTaken) -> None:
        if isinstance(event, TrickTaken):
            self.tricks[-1].winner = event.seat
            self.seats[event.seat].tricks += 1
            return
        here = self._here
        if here > len(self.tricks):
            self.tricks.append(TrickStory())
        wrong = [note.event for note in self.incidents if note.trick == here]
        self.tricks[-1].cards[event.seat] = PlayedCard(
            event.card,
            reneged=any(isinstance(other, Reneged) and other.seat == event.seat for other in wrong),
            by_referee=any(
                isinstance(other, Penalized) and other.seat == event.seat and other.rule == "R8.5" for other in wrong
            ),
        )
        self.seats[event.seat].hand.remove(event.card)

    def _note(self, event: Event) -> None:
        hand = tuple(self.seats[event.seat].hand) if isinstance(event, Reneged) else ()
        self.incidents.append(Incident(event, self._here, hand))

    @property
    def _here(self) -> int:
        """The trick in progress, from 1; the next one once that is taken; 0 before the play."""
        if not self.tricks:
            return int(all(seat.ready for seat in self.seats))
        return len(self.tricks) + (self.tricks[-1].winner is not None)


def stories(events: Iterable[Event], bots: int) -> Iterator[DealStory]:
    """The deals of a match in order, each as soon as the next has begun; the last may be unfinished."""
    story = DealStory(bots, pot=0)
    for event in events:
        if story.settled and isinstance(event, TurnForfeited | DealStarted):
            yield story
            story = DealStory(bots, pot=story.next_pot)
        story.hear(event)
    if story.number:
        yield story
