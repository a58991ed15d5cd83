"""Where every card of a deal is, told by events alone, as if one laid them out on a table (R3.1, R4.4)."""

from __future__ import annotations

from bourre.rules.cards import DECK, Card
from bourre.rules.events import CardPlayed, Declared, Drew, Event, HandDealt, StockGathered


class Pack:
    """All 52 cards; every one of them in one place only, or an assertion fails."""

    def __init__(self) -> None:
        self.hands: dict[int, set[Card]] = {}
        self.stock = set(DECK)
        self.pile: set[Card] = set()
        self.played: set[Card] = set()

    def hear(self, event: Event) -> None:
        """Moves the cards that an event moves."""
        match event:
            case HandDealt(seat, cards):
                self.hands[seat] = self.take(self.stock, set(cards or ()))
                assert len(self.hands[seat]) == 5
            case Declared(seat, False):
                self.pile |= self.hands.pop(seat)
            case StockGathered(count):
                self.gather(count)
            case Drew(seat, number, discarded, received):
                self.serve(seat, number, set(discarded or ()), set(received or ()))
            case CardPlayed(seat, card):
                self.played |= self.take(self.hands[seat], {card})
        self.check()

    def gather(self, count: int) -> None:
        """What lies in the pile joins the stock; the cards dealt from the old stock come first."""
        assert self.pile, "nothing was left to gather"
        assert len(self.pile) == count
        self.stock |= self.pile
        self.pile = set()

    def serve(self, seat: int, number: int, discarded: set[Card], received: set[Card]) -> None:
        """The discards leave the hand, and reach the pile only when the replacements have come from the stock."""
        assert len(discarded) == len(received) == number
        assert not discarded & received
        discarded = self.take(self.hands[seat], discarded)
        self.hands[seat] |= self.take(self.stock, received)
        self.pile |= discarded

    @staticmethod
    def take(place: set[Card], cards: set[Card]) -> set[Card]:
        """Takes cards away from where they must be."""
        assert cards <= place, f"{cards - place} came from nowhere"
        place -= cards
        return cards

    def check(self) -> None:
        """52 different cards lie on the table."""
        places = [self.stock, self.pile, self.played, *self.hands.values()]
        assert sum(map(len, places)) == 52
        assert set().union(*places) == set(DECK)
