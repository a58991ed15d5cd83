"""Collect from the events of a match what its record does not contain about each deal and seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre.rules.actions import Action, Decision, HandOver, Play, Recall, Unasked
from bourre.rules.card_play import Tricks
from bourre.rules.cards import Card, Suit
from bourre.rules.events import (
    AntePaid,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HouseTookOver,
    MatchPaid,
    PotShared,
    PotTaken,
    Stayed,
    TrumpNamed,
    TrumpTurned,
    TurnedTaken,
)
from bourre.rules.match import Match
from bourre.rules.tricks import broken_rule

CORRECT = "correct"
"""The decision of a second card after a renege; bots see it as `play` (R8.4)."""

UNASKED: dict[type[Action], str] = {Unasked: "unasked", HandOver: "house", Recall: "recall"}
"""The decision of actions that need no question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat was asked, and for a card how many were legal."""

    kind: str
    trick: int | None = None
    """The number of the trick, starting at 1."""
    legal: int | None = None
    """How many cards were legal; None if no card was asked for."""
    renege: str | None = None
    """The rule that the card breaks; None if it breaks none."""


def question_of(match: Match, action: Action) -> Question:
    """Return the question that this next action answers; raises InvalidAction if the match is over."""
    if kind := UNASKED.get(type(action)):
        return Question(kind)
    tricks = match.deal.tricks
    if tricks is None or match.decision != Decision.PLAY:
        return Question(match.decision.value)
    kind = CORRECT if tricks.correcting else Decision.PLAY.value
    renege = None if tricks.correcting else _renege(tricks, action)
    return Question(kind, len(tricks.completed) + 1, tricks.legal.bit_count(), renege)


def _renege(tricks: Tricks, action: Action) -> str | None:
    """Return the rule that the card breaks; None if it is legal, or not in the hand, which is a fault."""
    if not isinstance(action, Play) or not tricks.hands[tricks.to_act] >> action.card & 1:
        return None
    return None if tricks.legal >> action.card & 1 else broken_rule(action.card, tricks.position())


@dataclass(slots=True)
class SeatSummary:
    """What one deal was for one seat."""

    plays: bool = False
    obliged: bool = False
    left: bool = False
    discarded: tuple[Card, ...] = ()
    took_turned: bool = False
    won: bool = False
    bourred: bool = False
    faults: int = 0
    paid: int = 0
    """Chips paid: antes, stake, fines, and to match the pot."""
    share: int = 0
    """Its share of the pot that is left after the last deal of a session (R7.6)."""
    by_house: bool = False


@dataclass(slots=True)
class DealSummary:
    """What happened in a deal."""

    seats: list[SeatSummary]
    pot: int
    """Chips carried over, and the antes."""
    trump: Suit | None = None
    ended: DealEnded | None = None


class DealCollector:
    """Takes the events of a match, and keeps a summary of each finished deal by its number."""

    def __init__(self, seats: int) -> None:
        self.deals: dict[int, DealSummary] = {}
        self.house: set[int] = set()
        """The seats that the house has taken over."""
        self._seats = seats
        self._deal = DealSummary([], 0)

    def hear(self, events: Iterable[Event]) -> None:
        """Take these events, in their order."""
        for event in events:
            match event:
                case DealStarted():
                    pot = self._deal.ended.pot if self._deal.ended else 0
                    self._deal = DealSummary([SeatSummary() for _ in range(self._seats)], pot)
                case DealEnded():
                    self._end(event)
                case HouseTookOver(seat):
                    self.house.add(seat)
                case TrumpTurned(trump=trump) | TrumpNamed(trump=trump):
                    self._deal.trump = trump
                case AntePaid(seat, chips):
                    self._deal.pot += chips
                    self._deal.seats[seat].paid += chips
                case MatchPaid(seat, chips) | FinePaid(seat, chips):
                    self._deal.seats[seat].paid += chips
                    self._deal.seats[seat].bourred |= isinstance(event, MatchPaid) and event.bourred
                case _:
                    self._hear_of_seat(event)

    def _hear_of_seat(self, event: Event) -> None:
        match event:
            case Declared(seat, plays, obliged):
                self._deal.seats[seat].plays, self._deal.seats[seat].obliged = plays, obliged
            case Drew(seat, discarded=cards):
                self._deal.seats[seat].discarded = cards or ()
            case TurnedTaken(seat):
                self._deal.seats[seat].took_turned = True
            case Stayed(seat, stays):
                self._deal.seats[seat].left = not stays
            case PotTaken(seat):
                self._deal.seats[seat].won = True
            case PotShared(seat, chips):
                self._deal.seats[seat].share = chips
            case Faulted(seat):
                self._deal.seats[seat].faults += 1

    def _end(self, ended: DealEnded) -> None:
        self._deal.ended = ended
        for seat in self.house:
            self._deal.seats[seat].by_house = True
        self.deals[ended.deal] = self._deal
