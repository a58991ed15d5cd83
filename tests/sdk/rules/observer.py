"""What a seat can know from the events it is shown alone."""

from __future__ import annotations

from bourre.rules.cards import Card, Suit
from bourre.rules.events import (
    AntePaid,
    CardPlayed,
    DealEnded,
    DealForfeited,
    DealStarted,
    Declared,
    Drew,
    Event,
    FinePaid,
    HandDealt,
    MatchPaid,
    Penalized,
    PotShared,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
    TurnForfeited,
)
from bourre.rules.house import HouseRules
from bourre.rules.tricks import Trick
from bourre.rules.visibility import Renege, View
from tests.sdk.rules.chips import Chips


class Observer:
    """One seat that notes what it is told. A view that says more than these notes says too much."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat = seat
        self.seats = seats
        self.chips = Chips(seats)
        self.owed = [0] * seats
        self.corrected: list[int] = []
        self.forget_deal()

    def forget_deal(self) -> None:
        """Starts the notes of a new deal."""
        self.hand: set[Card] = set()
        self.discarded: set[Card] = set()
        self.plays: list[bool | None] = [None] * self.seats
        self.drawn: list[int | None] = [None] * self.seats
        self.trick: list[tuple[int, Card]] = []
        self.tricks: list[Trick] = []
        self.barred: set[int] = set()
        self.recalled: list[tuple[int, Card]] = []
        self.reneged: Reneged | None = None
        self.turned: Card | None = None
        self.returned = False
        self.taken: Card | None = None
        self.trump: Suit | None = None

    def hear(self, event: Event) -> None:
        """Notes one event."""
        match event:
            case AntePaid() | MatchPaid() | FinePaid() | PotTaken() | PotShared():
                self.chips.hear(event)
            case DealStarted(number, dealer):
                self.deal, self.dealer = number, dealer
                self.forget_deal()
            case TurnForfeited(seat):
                self.owed[seat] -= 1
            case DealForfeited(seat):
                self.owed[seat] += 1
            case HandDealt(seat, cards):
                assert seat == self.seat
                assert cards is not None
                self.hand = set(cards)
            case DealEnded():
                self.close_deal()
            case _:
                self.hear_entry(event)
                self.hear_play(event)

    def hear_entry(self, event: Event) -> None:
        """Trump, who is in, draws."""
        match event:
            case TrumpTurned(card, trump):
                self.turned, self.trump = card, trump
            case TurnedReturned(card):
                assert card == self.turned
                self.returned = True
            case TrumpNamed(seat, trump):
                assert seat == self.dealer
                self.trump = trump
            case TurnedTaken(seat, card):
                assert (seat, card) == (self.dealer, self.turned)
                self.taken = card
                self.hand |= {card} if seat == self.seat else set()
            case Declared(seat, plays) | Stayed(seat, plays):
                self.plays[seat] = plays
            case Drew():
                self.hear_draw(event)

    def hear_draw(self, event: Drew) -> None:
        """The number is for all seats, the cards only for this one."""
        self.drawn[event.seat] = event.number
        if event.seat != self.seat:
            assert event.discarded is event.received is None
            return
        assert event.discarded is not None
        assert event.received is not None
        self.discarded = set(event.discarded)
        self.hand = self.hand - self.discarded | set(event.received)

    def hear_play(self, event: Event) -> None:
        """Cards, reneges, tricks."""
        match event:
            case CardPlayed(seat, card):
                self.reneged = None
                self.trick.append((seat, card))
                if seat == self.seat:
                    self.hand.remove(card)
            case Reneged(seat=seat, legal=legal):
                assert (legal is None) == (seat != self.seat)
                self.reneged = event
            case RenegeCorrected(seat, card):
                self.take_back(seat, card)
                self.barred.add(seat)
                self.corrected.append(seat)
                self.recalled.append((seat, card))
            case RenegeRetracted(seat, card):
                self.recalled.append((seat, card))
            case TrickReopened(number):
                assert number == len(self.tricks) + 1
                assert self.trick
            case Penalized(seat=seat):
                self.barred.add(seat)
            case TrickTaken(seat, _):
                self.tricks.append(Trick(self.trick[0][0], tuple(card for _, card in self.trick), seat))
                self.trick = []

    def take_back(self, seat: int, card: Card) -> None:
        """A card already on the table, because nothing was said, goes back into the hand (R8.4)."""
        if not self.trick and self.tricks and self.tricks[-1].cards[-1] == card:
            leader, cards, _ = self.tricks.pop()
            order = [turn % self.seats for turn in range(leader, leader + self.seats) if self.plays[turn % self.seats]]
            self.trick = list(zip(order, cards, strict=True))
        if self.trick[-1:] == [(seat, card)]:
            self.trick.pop()
            self.hand |= {card} if seat == self.seat else set()

    def close_deal(self) -> None:
        """R8.2: what the corrected reneges of the deal cost at its end."""
        for seat in self.corrected:
            self.owed[seat] += 1
        self.corrected = []

    def check(self, view: View) -> None:
        """Compares a view with the notes, field by field."""
        assert (view.seat, view.seats, view.deal, view.dealer) == (self.seat, self.seats, self.deal, self.dealer)
        assert view.hand == tuple(sorted(self.hand))
        assert view.discarded == tuple(sorted(self.discarded))
        assert (view.turned, view.named, view.dead) == (self.turned, self.trump, self.dead(view.house))
        assert (list(view.balances), view.pot) == (self.chips.balances, self.chips.pot)
        assert (list(view.plays), list(view.drawn)) == (self.plays, self.drawn)
        assert view.trick == tuple(card for _, card in self.trick)
        assert view.tricks == tuple(self.tricks)
        assert (view.barred, view.recalled) == (tuple(sorted(self.barred)), tuple(self.recalled))
        assert list(view.owed_turns) == self.owed
        self.check_play(view)

    def dead(self, house: HouseRules) -> Card | None:
        """The turned card while it belongs to no seat."""
        own = house.trump_card == "dealer_fifth" or self.returned or self.taken is not None
        return None if own else self.turned

    def check_play(self, view: View) -> None:
        """The leader, the renege to correct, and legal cards that are cards of the own hand."""
        assert set(view.legal) <= self.hand
        leader = self.trick[0][0] if self.trick else self.tricks[-1].winner if self.tricks else None
        assert leader in (None, view.leader)
        asked = self.reneged if self.reneged is not None and self.reneged.seat == self.seat else None
        assert view.correcting == (None if asked is None else Renege(asked.card, asked.rule, asked.match))
