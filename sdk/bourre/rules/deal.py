"""One deal: the hands, the turn-up, declaring and drawing (R3, R4), then the play and the settlement."""

from __future__ import annotations

from collections import deque

from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, Missing
from bourre.rules.cards import Card, card_set, cards_in
from bourre.rules.deck import Chance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import (
    Declared,
    Drew,
    Event,
    Faulted,
    HandDealt,
    MatchPaid,
    PotCarried,
    PotTaken,
    StockGathered,
    TrumpTurned,
)
from bourre.rules.house import HouseRules
from bourre.rules.play import Tricks
from bourre.rules.pot import Ledger, Settlement, settle
from bourre.rules.stock import Stock

ACE = 14


class Deal:
    """One playing, from the cards to the settlement. Antes are in the pot before it begins."""

    def __init__(self, number: int, dealer: int, house: HouseRules, ledger: Ledger, chance: Chance) -> None:
        self.number = number
        self.dealer = dealer
        self.house = house
        self.ledger = ledger
        seats = len(ledger.balances)
        self.order = tuple((dealer + 1 + turn) % seats for turn in range(seats))
        deck = chance.deck(number)
        dealt = seats * house.cards
        self.hands = [0] * seats
        for turn, seat in enumerate(self.order):
            self.hands[seat] = card_set(deck[turn:dealt:seats])
        self.dealt = tuple(self.hands)
        self.turned = deck[dealt - 1]
        self.trump = self.turned.suit
        self.gatherings = 0
        self._chance = chance
        self._stock = Stock(deck[dealt:], self._gather)
        self.plays: list[bool | None] = [None] * seats
        self.drawn: list[int | None] = [None] * seats
        self.discarded = [0] * seats
        self.tricks: Tricks | None = None
        self.settlement: Settlement[int] | None = None
        self._pending = deque((seat, Decision.DECLARE) for seat in self.order)

    def begin(self) -> list[Event]:
        """Deals and turns up the trump (R3.1); a dealer with the ace must play (R4.5)."""
        events: list[Event] = [HandDealt(seat, cards_in(self.hands[seat])) for seat in self.order]
        events.append(TrumpTurned(self.turned, self.trump))
        if self.turned.rank == ACE:
            self._oblige_dealer(events)
            self._pending[-1] = (self.dealer, Decision.DRAW)
        return events

    @property
    def over(self) -> bool:
        """Whether the deal is settled."""
        return self.settlement is not None

    @property
    def to_act(self) -> int:
        """The seat that is asked."""
        return self._pending[0][0] if self.tricks is None else self.tricks.to_act

    @property
    def decision(self) -> Decision:
        """What it is asked."""
        return self._pending[0][1] if self.tricks is None else Decision.PLAY

    @property
    def max_discards(self) -> int:
        """How many cards a seat may discard (R4.3)."""
        limit = self.house.seven_player_limit
        crowded = limit is not None and len(self.hands) >= 7
        return min(self.house.max_discards, self.house.cards, limit if crowded and limit is not None else 5)

    def apply(self, action: Action) -> list[Event]:
        """What follows from the answer of the seat that is asked."""
        if self.tricks is not None:
            events = self.tricks.apply(action)
            if self.tricks.over:
                self._settle(events, self.tricks.won, self.tricks.uncorrected, self.tricks.corrected)
            return events
        seat, decision = self._pending[0]
        events = []
        if isinstance(action, Missing):
            events.append(Faulted(seat, action.fault))
            action = Declare(False) if decision == Decision.DECLARE else Draw()
        if isinstance(action, Declare) and decision == Decision.DECLARE:
            self._declare(seat, action, events)
        elif isinstance(action, Draw) and decision == Decision.DRAW:
            self._draw(seat, action.discards, events)
        else:
            raise InvalidAction(f"seat {seat} was asked to {decision}, not {action}")
        self._pending.popleft()
        self._go_on(events)
        return events

    def _declare(self, seat: int, action: Declare, events: list[Event]) -> None:
        self.plays[seat] = action.plays
        events.append(Declared(seat, action.plays))
        if action.plays:
            self._draw(seat, action.discards, events)
        else:
            self._stock.throw(self.hands[seat])

    def _draw(self, seat: int, discards: tuple[Card, ...], events: list[Event]) -> None:
        """Serves the seat; an illegal discard is ignored, and a fault (R8.5)."""
        thrown = card_set(discards)
        if len(discards) > self.max_discards or thrown.bit_count() < len(discards) or thrown & ~self.hands[seat]:
            events.append(Faulted(seat, Fault.ILLEGAL_DISCARD))
            thrown = 0
        served, gathered = self._stock.serve(thrown.bit_count())
        events.extend(StockGathered(cards) for cards in gathered)
        self._stock.throw(thrown)
        self.hands[seat] = self.hands[seat] & ~thrown | served
        self.discarded[seat] = thrown
        self.drawn[seat] = thrown.bit_count()
        events.append(Drew(seat, thrown.bit_count(), cards_in(thrown), cards_in(served)))

    def _gather(self, cards: tuple[Card, ...]) -> list[Card]:
        self.gatherings += 1
        return self._chance.gathered(self.number, self.gatherings, cards)

    def _oblige_dealer(self, events: list[Event]) -> None:
        self.plays[self.dealer] = True
        events.append(Declared(self.dealer, True, obliged=True))

    def _go_on(self, events: list[Event]) -> None:
        """To the play or the settlement, once nobody is left to ask."""
        others_in = any(self.plays[seat] for seat in self.order[:-1])
        if self._pending and self._pending[0][0] == self.dealer and not others_in:
            self._pending.clear()
            if not self.plays[self.dealer]:
                self._oblige_dealer(events)  # R4.6
        if self._pending:
            return
        playing = tuple(seat for seat in self.order if self.plays[seat])
        if len(playing) == 1:
            self._settle(events, {playing[0]: self.house.cards}, (), ())  # R4.8
        else:
            self.tricks = Tricks(self.hands, playing, self.trump, 0, self.ledger.pot, self.house)

    def _settle(
        self,
        events: list[Event],
        tricks: dict[int, int],
        uncorrected: set[int] | tuple[int, ...],
        corrected: list[int] | tuple[int, ...],
    ) -> None:
        settled = settle(self.ledger.pot, tricks, uncorrected, corrected, self.house)
        self.settlement = settled
        for seat, chips in settled.taken.items():
            self.ledger.take(seat, chips)
            events.append(PotTaken(seat, chips))
        if settled.winner is None:
            events.append(PotCarried(settled.carry, settled.tied))
        for seat, chips in settled.payments.items():
            self.ledger.pay(seat, chips)
            events.append(MatchPaid(seat, chips, bourred=tricks[seat] == 0, reneged=seat in uncorrected))
