"""The decisions before the first card is played: trump, declaring, drawing, the second pass (R3.2, R4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import product
from typing import Final

from bourre.rules.actions import Action, Choice, Decision, Declare, Draw, Fault, Missing, NameTrump, Stay
from bourre.rules.cards import Card, card_set, cards_in, lowest
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.deal_setup import DealSetup
from bourre.rules.draft import draft_class, freeze
from bourre.rules.errors import InvalidAction
from bourre.rules.events import AntePaid, Declared, Drew, Event, Faulted, Stayed, StockGathered, TrumpNamed, TurnedTaken
from bourre.rules.house import MAX_SEATS, ORDERS, HouseRules
from bourre.rules.pot import Ledger

# Reading `Decision.DRAW` takes 0.13 µs in Python 3.11, a constant 0.006 µs: together 2 % of practice.
NAME_TRUMP: Final = Decision.NAME_TRUMP
DECLARE: Final = Decision.DECLARE
DRAW: Final = Decision.DRAW
STAY: Final = Decision.STAY
_DECLARED_EVENTS: Final = {facts: Declared(*facts) for facts in product(range(MAX_SEATS), (True, False), (True, False))}
"""Each possible Declared event, made once."""
_DrewDraft: Final = draft_class(Drew)
_STANDS_PAT: Final = tuple(Drew(seat, 0, (), ()) for seat in range(MAX_SEATS))
"""The event of standing pat, by seat, made once."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Entry:
    """The stage before the play: the seats that are in, and their cards. Lists are by seat, hands are card sets."""

    def __init__(self, setup: DealSetup, dealer: int, house: HouseRules, ledger: Ledger) -> None:
        seats = len(setup.hands)
        self.dealer = dealer
        self.house = house
        self.order = ORDERS[seats][dealer]
        self.plays: list[bool | None] = [None] * seats
        self.drawn: list[int | None] = [None] * seats
        self.discarded = [0] * seats
        self.turned = setup.turned
        self.trump = setup.turned.suit if setup.turned is not None else None
        self.dead = setup.dead
        """The dead card, as in `DealSetup`; empty after the dealer has taken it."""
        self.hands = setup.hands
        self.max_discards = house.most_discards(seats)
        """The most cards that a seat may discard (R4.3)."""
        self._stock = setup.stock
        self._ledger = ledger
        self._must_pass: tuple[int, ...] = ()
        """The seats that must pass because they lack the cards that `must_hold` requires (R4.6)."""
        self._hidden_declarations: dict[int, bool] = {}
        self._pending: deque[tuple[int, Decision]] = deque()
        self.to_act = dealer
        """The seat to act. Of several seats that are asked at once, it is the one whose answer counts first."""
        self.decision: Decision = NAME_TRUMP
        """The decision of this seat."""
        self._stages = 0
        """The number of stages that have begun."""

    def begin(self, events: list[Event]) -> None:
        """Advances to the first decision."""
        self._advance(events)

    @property
    def over(self) -> bool:
        """Whether no seat is left to ask before the play."""
        return not self._pending

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may be asked now. Simultaneous declarations ask several (R4.1)."""
        at_once = self.house.declare_mode == "simultaneous" and self.decision is DECLARE
        return tuple(seat for seat, _ in self._pending) if at_once else (self.to_act,)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are in, from the dealer's left."""
        return tuple([seat for seat in self.order if self.plays[seat]])

    def apply(self, action: Action) -> list[Event]:
        """Applies the answer of the seat to act, and returns the events."""
        seat, decision = self.to_act, self.decision
        events: list[Event] = []
        if isinstance(action, Missing):
            events.append(Faulted(seat, action.fault))
            action = self.default()
        if decision is DECLARE and isinstance(action, Declare):
            self._declare(seat, action, events)
        elif decision is DRAW and isinstance(action, Draw):
            self._draw(seat, action.discards, action.takes, events)
        elif decision is STAY and isinstance(action, Stay):
            self._stay(seat, action.stays, events)
        elif decision is NAME_TRUMP and isinstance(action, NameTrump):
            self.trump = action.trump
            events.append(TrumpNamed(seat, action.trump))
        else:
            raise InvalidAction(f"seat {seat} was asked to {decision}, not {action}")
        self._pending.popleft()
        self._advance(events)
        return events

    def default(self) -> Choice:
        """Returns the choice that replaces a missing answer (R8.5)."""
        if self.decision is NAME_TRUMP:
            return NameTrump(lowest(self.hands[self.to_act]).suit)
        if self.decision is DECLARE:
            return Declare(False)
        return Draw() if self.decision is DRAW else Stay(False)

    def _advance(self, events: list[Event]) -> None:
        """Advances to the next open decision, through one or more stages."""
        pending = self._pending
        while True:
            while pending:
                self.to_act, self.decision = pending[0]
                if not self._resolve_unasked(self.to_act, self.decision, events):
                    return
                pending.popleft()
            if self._stages == len(_STAGES):
                return
            begin = _STAGES[self._stages]
            self._stages += 1
            begin(self, events)

    def _resolve_unasked(self, seat: int, decision: Decision, events: list[Event]) -> bool:
        """Applies a decision that the rules make for this seat; returns False if the seat has a choice."""
        if decision is DECLARE and seat in self._must_pass:
            self._pass(seat, events, obliged=True)  # R4.6, must_hold
            return True
        if decision is STAY:
            return len(self.playing) == 1
        if seat != self.dealer or decision is NAME_TRUMP or self.house.declare_mode == "simultaneous":
            return False
        if any(self.plays[other] for other in self.order[:-1]):
            return False
        if not self.plays[seat]:
            self._come_in(seat, events, obliged=True)  # R4.6
        return True

    def _seats_that_must_pass(self) -> tuple[int, ...]:
        """Returns the seats that hold none of the cards that `must_hold` requires (R4.6)."""
        needed = 0 if self.trump is None else self.house.needed_to_enter(self.trump)
        return tuple(seat for seat in self.order if not self.hands[seat] & needed) if needed else ()

    def _ask_for_trump(self, _events: list[Event]) -> None:
        if self.trump is None:
            self._pending.append((self.dealer, NAME_TRUMP))

    def _ask_to_declare(self, events: list[Event]) -> None:
        self._must_pass = self._seats_that_must_pass()
        asked = self.order
        obliged = self.house.obliges_dealer(self.turned)
        if obliged:
            self._come_in(self.dealer, events, obliged=True)
            asked = asked[:-1]
        if self.house.declare_mode == "simultaneous":
            asked = tuple(seat for seat in asked if seat not in self._must_pass)
        self._pending.extend([(seat, DECLARE) for seat in asked])
        if obliged and self.house.declare_mode == "turn":
            self._pending.append((self.dealer, DRAW))

    def _reveal(self, events: list[Event]) -> None:
        """Reveals the simultaneous declarations (R4.1)."""
        if self.house.declare_mode != "simultaneous":
            return
        for seat in self.order:
            if self.plays[seat] is None and self._hidden_declarations.get(seat):
                self._come_in(seat, events)
            elif self.plays[seat] is None:
                self._pass(seat, events, obliged=seat not in self._hidden_declarations)

    def _ask_to_draw(self, _events: list[Event]) -> None:
        if self.house.declare_mode != "turn" and len(self.playing) > 1:
            self._pending.extend([(seat, DRAW) for seat in self.playing])

    def _ask_to_stay(self, _events: list[Event]) -> None:
        if self.house.second_pass:
            self._pending.extend([(seat, STAY) for seat in self.playing])

    def _declare(self, seat: int, declaration: Declare, events: list[Event]) -> None:
        mode = self.house.declare_mode
        if mode != "turn" and declaration.plays and (declaration.discards or declaration.takes):
            events.append(Faulted(seat, Fault.ILLEGAL_DISCARD))
        if mode == "simultaneous":
            self._hidden_declarations[seat] = declaration.plays
        elif not declaration.plays:
            self._pass(seat, events)
        else:
            self._come_in(seat, events)
            if mode == "turn":
                self._draw(seat, declaration.discards, declaration.takes, events)

    def _come_in(self, seat: int, events: list[Event], *, obliged: bool = False) -> None:
        self.plays[seat] = True
        events.append(_DECLARED_EVENTS[seat, True, obliged])
        self._pay_second_ante(seat, events)

    def _pass(self, seat: int, events: list[Event], *, obliged: bool = False) -> None:
        self.plays[seat] = False
        events.append(_DECLARED_EVENTS[seat, False, obliged])
        self._stock.fold(self.hands[seat])

    def _pay_second_ante(self, seat: int, events: list[Event]) -> None:
        if self.house.second_ante:
            self._ledger.pay(seat, self.house.second_ante)
            events.append(AntePaid(seat, self.house.second_ante))

    def _draw(self, seat: int, discards: tuple[Card, ...], takes: bool, events: list[Event]) -> None:
        """Exchanges the discards of a seat. An illegal discard is ignored and is a fault (R8.5)."""
        self.drawn[seat] = 0
        if not discards and not takes:
            events.append(_STANDS_PAT[seat])
            return
        thrown = card_set(discards)
        if not self._may_discard(seat, discards, thrown, takes):
            events += [Faulted(seat, Fault.ILLEGAL_DISCARD), _STANDS_PAT[seat]]
            return
        served, gathered = self._stock.serve(seat, len(discards) - takes)
        for cards in gathered:
            events.append(StockGathered(cards))
        self._stock.discard(thrown)
        self.hands[seat] = self.hands[seat] & ~thrown | served
        self.discarded[seat] = thrown
        self.drawn[seat] = len(discards)
        if takes and self.turned is not None:
            self.hands[seat] |= self.dead
            self.dead = 0
            events.append(TurnedTaken(seat, self.turned))
        drew = _DrewDraft()
        drew.seat = seat
        drew.number = len(discards)
        drew.discarded = cards_in(thrown)
        drew.received = cards_in(served)
        events.append(freeze(drew, Drew))

    def _may_discard(self, seat: int, discards: tuple[Card, ...], thrown: int, takes: bool) -> bool:
        if takes and (seat != self.dealer or self.house.trump_card != "separate_dealer_option" or not discards):
            return False  # R3.2
        each_once_from_hand = thrown.bit_count() == len(discards) and not thrown & ~self.hands[seat]
        return each_once_from_hand and len(discards) <= self.max_discards

    def _stay(self, seat: int, stays: bool, events: list[Event]) -> None:
        events.append(Stayed(seat, stays))
        if stays:
            self._pay_second_ante(seat, events)
        else:
            self.plays[seat] = False


_STAGES: Final[tuple[Callable[[Entry, list[Event]], None], ...]] = (
    Entry._ask_for_trump,
    Entry._ask_to_declare,
    Entry._reveal,
    Entry._ask_to_draw,
    Entry._ask_to_stay,
)
"""The stages before the play, in order. A stage without effect in the house rules asks no seat."""
