"""The story of a deal: its events, sorted by seat, trick and outcome for display."""

from __future__ import annotations

from dataclasses import dataclass, field

from bourre.rules.cards import Suit
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    FinePaid,
    HandDealt,
    MatchEnded,
    MatchPaid,
    Penalized,
    PotCarried,
    PotShared,
    PotTaken,
    RenegeCorrected,
    Reneged,
    Stayed,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.house import HouseRules
from bourre_referee.text.narration.events_by_deal import DealEvents
from bourre_referee.text.narration.story_parts import Incident, Outcome, PlayedCard, SeatStory, TrickStory


@dataclass(slots=True)
class DealStory:
    """One deal, as far as its events have been heard."""

    bots: int
    house: HouseRules
    pot: int
    """The pot: chips carried into the deal, then also stakes and antes."""
    number: int = 0
    dealer: int = 0
    carried: int = 0
    dealer_draws: list[CardDrawn] = field(default_factory=list)
    """The cards that seats drew for the first deal (R1.3)."""
    stake: int = 0
    """Chips that every seat pays before the antes (format `duplicate`)."""
    independent: bool = False
    """Whether it is settled by itself (format `duplicate`), without effect on other deals."""
    stakes: dict[int, int] = field(default_factory=dict)
    """Chips by seat, like the antes."""
    antes: dict[int, int] = field(default_factory=dict)
    second_antes: int = 0
    """Chips paid to play and to stay (R2.4)."""
    turned: TrumpTurned | None = None
    named: TrumpNamed | None = None
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
    def trump(self) -> Suit | None:
        """The trump suit, once it is known."""
        named = self.named or self.turned
        return named.trump if named else None

    def hear(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case DealStarted():
                self.number, self.dealer = event.deal, event.dealer
            case CardDrawn():
                self.dealer_draws.append(event)
            case AntePaid():
                self._pay(event)
            case TrumpTurned():
                self.turned = event
            case TrumpNamed():
                self.named = event
            case TurnedReturned():
                pass  # follows from the house rules
            case HandDealt() | Declared() | TurnedTaken() | Drew() | Stayed():
                self._enter(event, self.seats[event.seat])
            case CardPlayed() | TrickTaken():
                self._play(event)
            case PotTaken() | PotCarried() | MatchPaid() | FinePaid() | DealEnded() | PotShared() | MatchEnded():
                self.outcome.append(event)
            case _:
                self._note(event)

    def _pay(self, event: AntePaid) -> None:
        self.pot += event.chips
        if self.seats[event.seat].dealt:
            self.second_antes += event.chips
        elif self.stake and event.seat not in self.stakes:
            self.stakes[event.seat] = event.chips
        else:
            self.antes[event.seat] = event.chips

    def _enter(self, event: HandDealt | Declared | TurnedTaken | Drew | Stayed, seat: SeatStory) -> None:
        match event:
            case HandDealt():
                seat.dealt = event.cards or ()
                seat.hand = list(seat.dealt)
            case Declared():
                seat.declared = event
            case TurnedTaken():
                seat.took = event
                seat.hand = sorted([*seat.hand, event.card])
            case Stayed():
                seat.stayed = event
            case Drew():
                seat.drew = event
                kept = [card for card in seat.hand if card not in (event.discarded or ())]
                seat.hand = sorted([*kept, *(event.received or ())])

    def _play(self, event: CardPlayed | TrickTaken) -> None:
        if isinstance(event, TrickTaken):
            self.tricks[-1].winner = event.seat
            self.seats[event.seat].tricks += 1
            return
        number = self._current_trick
        if number > len(self.tricks):
            self.tricks.append(TrickStory())
        faults = [incident.event for incident in self.incidents if incident.trick == number]
        self.tricks[-1].cards[event.seat] = PlayedCard(
            event.card,
            reneged=any(isinstance(other, Reneged) and other.seat == event.seat for other in faults),
            by_referee=any(
                isinstance(other, Penalized) and other.seat == event.seat and other.rule == "R8.5" for other in faults
            ),
        )
        self.seats[event.seat].hand.remove(event.card)

    def _note(self, event: Event) -> None:
        match event:
            case Reneged():
                self.incidents.append(self._renege(event))
                return
            case RenegeCorrected() if event.recalled not in self.seats[event.seat].hand:
                self._take_back(event)
            case Penalized() if (last := self.incidents[-1:]) and isinstance(last[0].event, Reneged):
                self.incidents.append(Incident(event, last[0].trick))  # reported late: it belongs where the renege was
                return
        self.incidents.append(Incident(event, self._current_trick))

    def _renege(self, event: Reneged) -> Incident:
        """Describe the renege with the hand before it; in silence, its card is the last one played."""
        hand, trick_number = self.seats[event.seat].hand, self._current_trick
        if event.card in hand:
            played = self.tricks[-1].before(event.seat) if 0 < trick_number == len(self.tricks) else ()
            return Incident(event, trick_number, tuple(hand), played)
        trick = self.tricks[-1]
        trick.cards[event.seat].reneged = True
        return Incident(event, len(self.tricks), tuple(sorted([*hand, event.card])), trick.before(event.seat))

    def _take_back(self, event: RenegeCorrected) -> None:
        """Put the last card back into the hand, and reopen the trick that it completed (R8.4, `silent`)."""
        trick = self.tricks[-1]
        seat = self.seats[event.seat]
        seat.hand = sorted([*seat.hand, trick.cards.pop(event.seat).card])
        if trick.winner is not None:
            self.seats[trick.winner].tricks -= 1
            trick.winner = None

    @property
    def _current_trick(self) -> int:
        """The number of the current trick, starting at 1, or of the next once that is taken; 0 before the play."""
        if not self.tricks:
            return int(all(seat.is_ready(self.house.cost_to_stay is not None) for seat in self.seats))
        return len(self.tricks) + (self.tricks[-1].winner is not None)


def begin_story(deal: DealEvents) -> DealStory:
    """Start the story of this deal, before its first event."""
    independent = deal.seating is not None
    return DealStory(len(deal.bots), deal.house, pot=deal.carried, stake=deal.stake, independent=independent)


def tell_story(deal: DealEvents) -> DealStory:
    """Tell the story of this deal, as far as its events go."""
    story = begin_story(deal)
    for event in deal.events:
        story.hear(event)
    return story
