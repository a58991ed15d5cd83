"""Where every card of a deal is, derived from events alone, as if laid out on a table (R3, R4.4)."""

from __future__ import annotations

from bourre.rules.cards import DECK, Card
from bourre.rules.events import (
    CardPlayed,
    Declared,
    Drew,
    Event,
    HandDealt,
    RenegeCorrected,
    Stayed,
    StockGathered,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.house import HouseRules


class Pack:
    """All 52 cards; an assertion fails unless each is in exactly one place."""

    def __init__(self, house: HouseRules) -> None:
        self.house = house
        self.hands: dict[int, set[Card]] = {}
        self.stock = set(DECK)
        self.dead: set[Card] = set()
        self.discards: set[Card] = set()
        self.passed: set[Card] = set()
        self.left: set[Card] = set()
        """The hands of seats that left in the second pass, which are not dealt again."""
        self.played: set[Card] = set()
        self.first: set[Card] = set()
        """What was left of the stock when more was gathered; it is dealt first."""
        self.taken = 0

    def hear(self, event: Event) -> None:
        """Moves the cards that an event moves."""
        match event:
            case HandDealt(seat, cards):
                self.hands[seat] = self.take(self.stock, set(cards or ()))
                assert len(self.hands[seat]) == self.house.cards
            case TrumpTurned(card, trump):
                assert card.suit == trump
                if self.house.trump_card != "dealer_fifth":
                    self.dead = self.take(self.stock, {card})
            case TurnedReturned(card):
                self.stock |= self.take(self.dead, {card})
            case Declared(seat, False):
                self.passed |= self.hands.pop(seat)
            case Stayed(seat, False):
                self.left |= self.hands.pop(seat)
            case _:
                self.hear_more(event)
        self.check()

    def hear_more(self, event: Event) -> None:
        """Drawing and playing."""
        match event:
            case StockGathered(count):
                self.gather(count)
            case TurnedTaken(seat, card):
                self.hands[seat] |= self.take(self.dead, {card})
                self.taken = 1
            case Drew(seat, number, discarded, received):
                assert len(discarded or ()) == number == len(received or ()) + self.taken
                self.serve(seat, set(discarded or ()), set(received or ()))
            case CardPlayed(seat, card):
                self.played |= self.take(self.hands[seat], {card})
            case RenegeCorrected(seat, card) if card in self.played:  # nothing had been said
                self.hands[seat] |= self.take(self.played, {card})

    def gather(self, count: int) -> None:
        """The discards join the stock."""
        self.first = set(self.stock)
        gathered = set(self.passed)
        self.passed = set()
        if self.house.recycle == "together" or not gathered:
            gathered |= self.discards
            self.discards = set()
        assert gathered, "nothing was left to gather"
        assert len(gathered) == count
        self.stock |= gathered

    def serve(self, seat: int, discarded: set[Card], received: set[Card]) -> None:
        """The discards leave the hand, and reach the pile only after the replacements have come from the stock."""
        assert self.first <= received, "gathered before the stock was empty"
        assert not discarded & received
        discarded = self.take(self.hands[seat], discarded)
        self.hands[seat] |= self.take(self.stock, received)
        self.discards |= discarded
        assert len(self.hands[seat]) == self.house.cards
        self.first, self.taken = set(), 0

    @staticmethod
    def take(place: set[Card], cards: set[Card]) -> set[Card]:
        """Takes cards away from where they must be."""
        assert cards <= place, f"{cards - place} came from nowhere"
        place -= cards
        return cards

    def check(self) -> None:
        """52 different cards lie on the table."""
        thrown = [self.discards, self.passed, self.left]
        places = [self.stock, self.dead, *thrown, self.played, *self.hands.values()]
        assert sum(map(len, places)) == 52
        assert set().union(*places) == set(DECK)
