"""A table whose cards the test stacks, and whose seats answer in short texts: `1 in 2C`, `0 pass`, `2 QS`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay, parse_action
from bourre.rules.cards import DECK, Card, Suit, parse_cards
from bourre.rules.events import DealStarted, Event
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View

E = TypeVar("E")


def stacked(*hands: str, dealer: int = 0, stock: str = "") -> list[Card]:
    """A deck that deals these hands, by seat, then this stock: its first card is turned, or the dealer's last."""
    seats = len(hands)
    order = [(dealer + 1 + turn) % seats for turn in range(seats)]
    held = [parse_cards(hand) for hand in hands]
    first = [held[seat][turn] for turn in range(len(held[0])) for seat in order] + list(parse_cards(stock))
    deck = first + [card for card in DECK if card not in first]
    assert len(deck) == 52, "a card is dealt twice"
    return deck


class Rigged:
    """Chance that deals the decks of a test, repeating the last one, and shuffles without changing the order."""

    def __init__(self, decks: Sequence[list[Card]], dealer: int, drawn: str) -> None:
        self.decks = decks
        self.dealer = dealer
        self.drawn = parse_cards(drawn)
        self.shuffles: list[int] = []
        self.gatherings: list[tuple[Card, ...]] = []
        self.returns: list[tuple[Card, ...]] = []

    by_seat = False

    def stake(self, deal: int) -> int:
        return 0

    def first_dealer(self, seats: int) -> int:
        return self.dealer

    def draw_for_deal(self) -> list[Card]:
        return [*self.drawn, *(card for card in DECK if card not in self.drawn)]

    def deck(self, deal: int) -> list[Card]:
        self.shuffles.append(deal)
        return list(self.decks[min(deal, len(self.decks)) - 1])

    def shuffle_gathered(self, deal: int, time: int, cards: Iterable[Card]) -> list[Card]:
        self.gatherings.append(tuple(cards))
        return list(self.gatherings[-1])

    def shuffle_returned(self, deal: int, cards: Iterable[Card]) -> list[Card]:
        self.returns.append(tuple(cards))
        return sorted(cards)

    def seat_seed(self, deal: int, seat: int) -> int:
        return 100 * deal + seat


class Table:
    """A started match with stacked decks."""

    def __init__(
        self,
        *decks: list[Card],
        seats: int,
        dealer: int = 0,
        deals: int = 0,
        preset: str = "pagat",
        drawn: str = "",
        **keys: Any,
    ) -> None:
        """`drawn`: the cards in which the seats draw for the first deal (R1.3); `keys`: house rules over `preset`."""
        self.chance = Rigged(decks, dealer, drawn)
        self.match = Match(seats, deals or len(decks), HouseRules.preset(preset, **keys), self.chance)
        self.events = self.match.start()

    def say(self, *lines: str) -> list[Event]:
        """Applies these lines to the match, one after another; returns the events."""
        events: list[Event] = []
        for line in lines:
            seat, _, text = line.partition(" ")
            events += self.match.apply(int(seat), parse_action(text))
        self.events += events
        return events

    def play(self, cards: str) -> list[Event]:
        """Plays these cards in turn, each by the seat whose turn it is."""
        events: list[Event] = []
        for card in parse_cards(cards):
            events += self.match.apply(self.match.to_act, Play(card))
        self.events += events
        return events

    def finish(self) -> list[Event]:
        """Plays the deal out: every seat comes in, stands pat, and plays its lowest legal card."""
        events: list[Event] = []
        deal = self.match.deal
        while not self.match.over and self.match.deal is deal:
            events += self.match.apply(self.match.to_act, easy_answer(self.view))
        self.events += events
        return events

    @property
    def view(self) -> View:
        """The view of the seat that is asked."""
        return self.match.view(self.match.to_act)

    @property
    def hands(self) -> list[int]:
        """The hands, as sets."""
        return self.match.deal.hands

    @property
    def balances(self) -> list[int]:
        """The balance of every seat."""
        return self.match.ledger.balances

    @property
    def pot(self) -> int:
        """The chips on the table."""
        return self.match.ledger.pot

    @property
    def dealers(self) -> list[int]:
        """The dealers of the deals so far."""
        return [event.dealer for event in of(DealStarted, self.events)]


def easy_answer(view: View) -> Choice:
    """An answer that is always legal: clubs, in, standing pat, staying, the lowest card."""
    match view.decision:
        case Decision.NAME_TRUMP:
            return NameTrump(Suit.C)
        case Decision.DECLARE:
            return Declare(True)
        case Decision.DRAW:
            return Draw()
        case Decision.STAY:
            return Stay(True)
    return Play(view.legal[0])


def of(kind: type[E], events: Iterable[object]) -> list[E]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]
