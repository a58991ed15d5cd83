"""The story of a deal by its events: seats, tricks, incidents and outcome, as far as the reader knows them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bourre.rules.cards import Card, Suit
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
    TurnForfeited,
)
from bourre.rules.house import HouseRules
from bourre.words.table_words.story_parts import Incident, Outcome, PlayedCard, SeatStory, TrickStory


@dataclass(slots=True)
class DealStory:
    """One deal, up to its latest event."""

    house: HouseRules
    balances: list[int]
    """Chips by seat at this point of the story."""
    carried: int = 0
    """The chips in the pot before the stakes and antes."""
    stake: int = 0
    """The chips that every seat pays before the antes (format `duplicate`)."""
    independent: bool = False
    """Whether the deal is settled alone (format `duplicate`), without effect on other deals."""
    number: int = 0
    dealer: int = 0
    dealer_draws: list[CardDrawn] = field(default_factory=list)
    """The cards that seats drew for the first deal (R1.3)."""
    pot: int = 0
    """The pot of this deal: the carried chips, then also stakes and antes."""
    chips: int = 0
    """The chips in the pot at this point of the story."""
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
        self.pot = self.chips = self.carried
        self.seats = [SeatStory() for _ in self.balances]

    @property
    def order(self) -> tuple[int, ...]:
        """All seats, from the dealer's left."""
        return tuple((self.dealer + turn) % len(self.seats) for turn in range(1, len(self.seats) + 1))

    @property
    def trump(self) -> Suit | None:
        """The trump suit, if known."""
        named = self.named or self.turned
        return named.trump if named else None

    def hear(self, event: Event) -> None:
        """Takes the next event."""
        match event:
            case DealStarted():
                self.number, self.dealer = event.deal, event.dealer
            case CardDrawn():
                self.dealer_draws.append(event)
            case AntePaid():
                self._pay_ante(event)
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
                self._settle(event)
            case _:
                self._note(event)

    def _move_chips(self, seat: int, chips: int) -> None:
        """Moves chips from a seat into the pot. Negative chips leave the pot."""
        self.balances[seat] -= chips
        self.chips += chips
        self.seats[seat].paid += max(0, chips)

    def _pay_ante(self, event: AntePaid) -> None:
        self._move_chips(event.seat, event.chips)
        self.pot += event.chips
        if self.seats[event.seat].dealt is not None:
            self.second_antes += event.chips
        elif self.stake and event.seat not in self.stakes:
            self.stakes[event.seat] = event.chips
        else:
            self.antes[event.seat] = event.chips

    def _settle(self, event: Outcome) -> None:
        match event:
            case MatchPaid(seat, chips) | FinePaid(seat, chips):
                self._move_chips(seat, chips)
            case PotTaken(seat, chips) | PotShared(seat, chips):
                self._move_chips(seat, -chips)
            case DealEnded(_, balances, pot):
                self.balances, self.chips = list(balances), pot

    def _enter(self, event: HandDealt | Declared | TurnedTaken | Drew | Stayed, seat: SeatStory) -> None:
        match event:
            case HandDealt():
                seat.dealt = event.cards or ()
                seat.hand = sorted(seat.dealt)
            case Declared():
                seat.declared = event
            case TurnedTaken():
                seat.took = event
                seat.exchange((), [event.card])
            case Stayed():
                seat.stayed = event
            case Drew():
                seat.drew = event
                seat.exchange(event.discarded or (), event.received or ())

    def _play(self, event: CardPlayed | TrickTaken) -> None:
        if isinstance(event, TrickTaken):
            self.tricks[-1].winner = event.seat
            self.seats[event.seat].tricks += 1
            return
        number = self.current_trick
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
        self.seats[event.seat].exchange([event.card], ())

    def _note(self, event: Event) -> None:
        if isinstance(event, RenegeCorrected | Penalized):
            self.seats[event.seat].barred = True
        match event:
            case Reneged():
                self.incidents.append(self._renege(event))
                return
            case RenegeCorrected(seat, card) if self._is_on_table(seat, card):
                self._take_back(event)
            case Penalized() if (last := self.incidents[-1:]) and isinstance(last[0].event, Reneged):
                self.incidents.append(Incident(event, last[0].trick))  # reported late
                return
        self.incidents.append(Incident(event, self.current_trick))

    def _renege(self, event: Reneged) -> Incident:
        """Describes the renege with the hand before it. The card of a silent renege is the last one played."""
        hand, trick_number = self.seats[event.seat].hand, self.current_trick
        if not self._is_on_table(event.seat, event.card):
            played = self.tricks[-1].before(event.seat) if 0 < trick_number == len(self.tricks) else ()
            return Incident(event, trick_number, tuple(hand), played)
        trick = self.tricks[-1]
        trick.cards[event.seat].reneged = True
        return Incident(event, len(self.tricks), tuple(sorted([*hand, event.card])), trick.before(event.seat))

    def _is_on_table(self, seat: int, card: Card) -> bool:
        return bool(self.tricks) and seat in (cards := self.tricks[-1].cards) and cards[seat].card == card

    def _take_back(self, event: RenegeCorrected) -> None:
        """Puts the last card back into the hand, and reopens the trick that it completed (R8.4, `silent`)."""
        trick, seat = self.tricks[-1], self.seats[event.seat]
        seat.exchange((), [trick.cards.pop(event.seat).card])
        if trick.winner is not None:
            self.seats[trick.winner].tricks -= 1
            trick.winner = None

    @property
    def current_trick(self) -> int:
        """The number of the current trick, from 1, or of the next one after it is taken; 0 before the play."""
        if not self.tricks:
            return int(all(seat.is_ready(self.house.cost_to_stay is not None) for seat in self.seats))
        return len(self.tricks) + (self.tricks[-1].winner is not None)


def begin_match(seats: int, house: HouseRules) -> DealStory:
    """Returns the story of the first deal of a match, before its first event."""
    return DealStory(house, [0] * seats)


def follow(story: DealStory, event: Event) -> DealStory:
    """Adds the next event of a match to this story, or to a new one if it begins another deal; returns that story."""
    begins = isinstance(event, TurnForfeited | CardDrawn | DealStarted)
    if begins and any(isinstance(other, DealEnded) for other in story.outcome):
        story = DealStory(story.house, list(story.balances), story.chips)
    story.hear(event)
    return story


def tell_story(story: DealStory, events: Sequence[Event]) -> DealStory:
    """Adds these events to the story, and returns it."""
    for event in events:
        story.hear(event)
    return story


class MatchStory:
    """The stories of a match's deals, for a seat. Events wait until the house rules are known."""

    def __init__(self) -> None:
        self._deal: DealStory | None = None
        self._untold: deque[Event] = deque()

    def begin(self, seats: int, house: HouseRules) -> None:
        """Sets the number of seats and the house rules, unless they are known."""
        if self._deal is None:
            self._deal = begin_match(seats, house)

    def hear(self, event: Event) -> None:
        """Adds the next event."""
        self._untold.append(event)

    def news(self) -> Iterator[tuple[Event, DealStory]]:
        """Yields each new event with the story of its deal up to this event."""
        while self._deal is not None and self._untold:
            event = self._untold.popleft()
            self._deal = follow(self._deal, event)
            yield event, self._deal
