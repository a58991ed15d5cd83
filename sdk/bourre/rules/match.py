"""A match: consecutive deals at one table, as pure state that its caller drives (R1.4, R2, R7.5, R7.6).

match = Match(seats=5, deals=50, house=HouseRules.preset("limit"), chance=SeededChance(seed))
events = match.start()
while not match.over:
    events = match.apply(match.to_act, answer_of(match.to_act, match.view(match.to_act)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bourre.rules.actions import Action, Decision, Fault, HandOver, Recall, Unasked
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.deal import Deal
from bourre.rules.deck import Chance
from bourre.rules.errors import InvalidAction, InvalidHouse
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    DealEnded,
    DealForfeited,
    DealStarted,
    Event,
    Faulted,
    FinePaid,
    HouseTookOver,
    MatchEnded,
    PotShared,
    RenegeCorrected,
    TurnForfeited,
)
from bourre.rules.house import HouseRules
from bourre.rules.pot import Ledger, share_pot
from bourre.rules.visibility import View, view_of

_AT_ANY_TIME: Final = frozenset({Unasked, HandOver, Recall})
"""Actions that a match accepts from any seat at any time."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Match:
    """The deals of one table. Takes the answers of the seats in turn, and returns the events."""

    def __init__(self, seats: int, deals: int, house: HouseRules, chance: Chance, only: int | None = None) -> None:
        """`only` is the one deal to play, as in format `duplicate`; None plays all deals in order."""
        house.check_seats(seats)
        if deals < 1:
            raise InvalidHouse(f"{deals} deals are too few for a match.\nhint: use 1 or more")
        if only is not None and not 1 <= only <= deals:
            raise InvalidHouse(f"Unknown deal {only}.\nhint: use 1 to {deals}")
        self.seats = seats
        self.deals = deals
        self.house = house
        self.ledger = Ledger(seats)
        self.owed_turns = [0] * seats
        self._chance = chance
        self._only = only
        self._ante_of_each = tuple(AntePaid(seat, house.ante) for seat in range(seats))
        self._exempt: frozenset[int] = frozenset()
        self._announced: set[int] = set()
        self._fines = [0] * seats
        """The fines that each seat owes for its faults in this deal."""
        self._seeds: dict[int, int] = {}
        """The seeds of the bots' own chance in this deal, by seat, for the seats asked so far."""
        self._deal: Deal | None = None
        self.over = False

    def start(self) -> list[Event]:
        """Begins the first deal. A deal that is played alone has the dealer of a match without forfeited turns."""
        if self._deal is not None:
            raise InvalidAction("this match has already started")
        events: list[Event] = []
        first = self._only or 1
        self._begin_deal(first, (self._first_dealer(events) + first - 1) % self.seats, events)
        self._advance(events)
        return events

    @property
    def deal(self) -> Deal:
        """The deal in progress, or the last one."""
        if self._deal is None:
            raise InvalidAction("this match has not been started: call start() first")
        return self._deal

    @property
    def to_act(self) -> int:
        """The seat to act; raises InvalidAction after the match."""
        return self._current_deal.to_act

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may be asked now, `to_act` first. Only simultaneous declarations ask several (R4.1)."""
        return self._current_deal.asked

    @property
    def decision(self) -> Decision:
        """The decision of the seat to act; raises InvalidAction after the match."""
        return self._current_deal.decision

    def view(self, seat: int) -> View:
        """Returns everything that this seat may know now; raises InvalidAction after the match."""
        self._check_seat(seat)
        deal = self._current_deal
        if seat not in self._seeds:
            self._seeds[seat] = self._chance.seat_seed(deal.number, seat)
        return view_of(deal, seat, self.deals, tuple(self.owed_turns), self._seeds[seat])

    def apply(self, seat: int, action: Action) -> list[Event]:
        """Applies an action of a seat, and returns the events.

        Recall, Unasked and HandOver are accepted from any seat at any time. Every other action must come from the seat
        to act and fit its decision. Otherwise raises InvalidAction, which is the caller's mistake, never a bot's.
        """
        deal = self._deal or self.deal
        if self.over or seat != deal.to_act or type(action) in _AT_ANY_TIME:
            return self._apply_unasked(seat, action)
        events = deal.apply(action)
        if self.house.fault_fine:
            self._fine(events)
        if deal.over:
            self._advance(events)
        return events

    def _apply_unasked(self, seat: int, action: Action) -> list[Event]:
        self._check_seat(seat)
        if isinstance(action, Unasked):
            return self._handle_unasked(seat, action.fault)
        if isinstance(action, HandOver):
            return [HouseTookOver(seat)]
        if isinstance(action, Recall):
            return self._recall(seat, action)
        raise InvalidAction(f"seat {seat} is not asked" + ("" if self.over else f": seat {self.to_act} is"))

    def _recall(self, seat: int, recall: Recall) -> list[Event]:
        """Takes a silent renege back if the recall is in time (R8.4). Otherwise the recall is a fault."""
        events = self.deal.recall(seat, recall)
        if not events:
            return self._handle_unasked(seat, Fault.UNASKED)
        self._fine(events)
        return events

    @property
    def _current_deal(self) -> Deal:
        if self.over:
            raise InvalidAction("this match is over: nobody is asked any more")
        return self.deal

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise InvalidAction(f"there is no seat {seat}: the seats are 0 to {self.seats - 1}")

    def _handle_unasked(self, seat: int, fault: Fault) -> list[Event]:
        events: list[Event] = [Faulted(seat, fault)]
        self._fine(events)
        declaring = not self.over and self.decision in (Decision.DECLARE, Decision.DRAW)
        if fault == Fault.PREMATURE and declaring and seat not in self._announced:
            self._announced.add(seat)
            self.owed_turns[seat] += 1
            events.append(DealForfeited(seat))
        return events

    def _fine(self, events: Iterable[Event]) -> None:
        """Adds the fines for these faults and corrected reneges (R8.6)."""
        for event in events:
            if isinstance(event, Faulted | RenegeCorrected):
                self._fines[event.seat] += self.house.fault_fine

    def _pay_fines(self, events: list[Event]) -> None:
        """Pays the fines into the next pot, because no pot grows during its deal (R8.6)."""
        if not any(self._fines):
            return
        for seat, chips in enumerate(self._fines):
            if chips:
                self.ledger.pay(seat, chips)
                events.append(FinePaid(seat, chips))
        self._fines = [0] * self.seats

    def _first_dealer(self, events: list[Event]) -> int:
        """Returns the seat that deals first (R1.3)."""
        form = self.house.first_dealer
        if isinstance(form, int):
            return form
        if form == "seeded":
            return self._chance.first_dealer(self.seats)
        return self._draw_for_dealer(min if form == "low_card" else max, events)

    def _draw_for_dealer(self, choose: Callable[[Iterable[int]], int], events: list[Event]) -> int:
        """Lets each seat draw a card for the deal. Tied seats draw again from the cards left."""
        cards = iter(self._chance.draw_for_deal())
        drawing = list(range(self.seats))
        while len(drawing) > 1:
            drawn = dict(zip(drawing, cards, strict=False))
            if not drawn:
                break
            events.extend([CardDrawn(seat, card) for seat, card in drawn.items()])
            best = choose([card.rank for card in drawn.values()])
            drawing = [seat for seat, card in drawn.items() if card.rank == best]
        return drawing[0]

    def _antes(self, dealer: int) -> tuple[AntePaid, ...]:
        """Returns the antes before a deal (R2.1 to R2.3, R2.5)."""
        if not self.house.ante or (self.house.ante_when == "pot_empty" and self.ledger.pot):
            return ()
        exempt, owing = self._exempt, self._ante_of_each
        if exempt:
            owing = tuple([paid for paid in owing if paid.seat not in exempt])
        if self.house.dealer_antes_all and owing:
            return (AntePaid(dealer, self.house.ante * len(owing)),)
        return owing

    def _begin_deal(self, number: int, dealer: int, events: list[Event]) -> None:
        events.append(DealStarted(number, dealer))
        if stake := self._chance.stake(number):
            for seat in range(self.seats):
                self.ledger.pay(seat, stake)
                events.append(AntePaid(seat, stake))
        for paid in self._antes(dealer):
            self.ledger.pay(paid.seat, paid.chips)
            events.append(paid)
        self._announced = set()
        self._seeds = {}
        self._deal = deal = Deal(number, dealer, self.house, self.ledger, self._chance)
        deal.begin(events)

    def _advance(self, events: list[Event]) -> None:
        """Moves past every settled deal. A deal that nobody may play is settled from the start (R4.6)."""
        while not self.over and self.deal.over:
            self._end_deal(events)

    def _end_deal(self, events: list[Event]) -> None:
        deal = self.deal
        assert deal.settlement is not None
        self._exempt = frozenset(deal.settlement.exempt)
        for seat in deal.settlement.forfeit_deal:
            self.owed_turns[seat] += 1
        self._pay_fines(events)
        events.append(DealEnded(deal.number, tuple(self.ledger.balances), self.ledger.pot))
        if deal.number < (self._only or self.deals):
            self._begin_deal(deal.number + 1, self._next_dealer(events), events)
        else:
            self._end(events)

    def _next_dealer(self, events: list[Event]) -> int:
        """Returns the next dealer clockwise. A seat that owes turns forfeits one and is passed over (R1.4)."""
        dealer = (self.deal.dealer + 1) % self.seats
        while self.owed_turns[dealer]:
            self.owed_turns[dealer] -= 1
            events.append(TurnForfeited(dealer))
            dealer = (dealer + 1) % self.seats
        return dealer

    def _end(self, events: list[Event]) -> None:
        for seat, chips in enumerate(share_pot(self.ledger.pot, self.seats, self.deal.dealer)):
            if chips:
                self.ledger.take(seat, chips)
                events.append(PotShared(seat, chips))
        self.over = True
        events.append(MatchEnded(tuple(self.ledger.balances)))
