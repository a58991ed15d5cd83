"""One deal: the entry, the card play and the settlement."""

from __future__ import annotations

from bourre.rules.actions import PLAYS, Action, Choice, Decision, Play, Recall
from bourre.rules.before_play import Entry
from bourre.rules.card_play import Tricks
from bourre.rules.cards import lowest
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.deal_setup import deal_out
from bourre.rules.deck import Chance
from bourre.rules.events import Event, MatchPaid, PotCarried, PotTaken
from bourre.rules.house import ORDERS, HouseRules
from bourre.rules.pot import Ledger, Settlement, settle


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal:
    """One deal, from dealing the cards to the settlement. Its pot contains the antes when it begins."""

    def __init__(self, number: int, dealer: int, house: HouseRules, ledger: Ledger, chance: Chance) -> None:
        self.number = number
        self.dealer = dealer
        self.house = house
        self.ledger = ledger
        setup = deal_out(number, ORDERS[len(ledger.balances)][dealer], house, chance)
        self._dealing = setup.events
        self.entry = Entry(setup, dealer, house, ledger)
        self.hands = setup.hands
        """The hands as card sets by seat. They shrink with each play."""
        self.tricks: Tricks | None = None
        self.settlement: Settlement[int] | None = None
        self.to_act = dealer
        """The seat to act. Of several seats that are asked at once, it is the one whose answer counts first."""
        self.over = False
        """Whether the deal is settled."""

    def begin(self, events: list[Event]) -> None:
        """Adds all events up to the first decision."""
        events += self._dealing
        self.entry.begin(events)
        self._follow_entry(events)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may be asked now. Only simultaneous declarations ask several (R4.1)."""
        return self.entry.asked if self.tricks is None else (self.tricks.to_act,)

    @property
    def decision(self) -> Decision:
        """The decision of the seat to act."""
        return self.entry.decision if self.tricks is None else Decision.PLAY

    def apply(self, action: Action) -> list[Event]:
        """Applies the answer of the seat to act, and returns the events."""
        tricks = self.tricks
        if tricks is None:
            events = self.entry.apply(action)
            self._follow_entry(events)
        else:
            events = tricks.apply(action)
            self.to_act = tricks.to_act
            if tricks.over:
                self._settle(events, tricks.won, tricks.uncorrected, tricks.corrected)
        return events

    @property
    def forced(self) -> Play | None:
        """The play of the only legal card; None if the seat to act has a choice."""
        card = self.tricks.forced if self.tricks is not None else None
        return None if card is None else PLAYS[card]

    def default(self) -> Choice:
        """Returns the choice that the referee makes for a seat without an answer (R8.5)."""
        return self.entry.default() if self.tricks is None else PLAYS[lowest(self.tricks.legal)]

    def recall(self, seat: int, recall: Recall) -> list[Event]:
        """Takes a seat's last card back at its request (R8.4). The seat holds another card, so the play continues."""
        if self.tricks is None:
            return []
        events = self.tricks.recall(seat, recall.card)
        self.to_act = self.tricks.to_act
        return events

    def _follow_entry(self, events: list[Event]) -> None:
        """Asks the next seat before the play. After the last answer, begins the play or settles the deal."""
        self.to_act = self.entry.to_act
        if not self.entry.over:
            return
        playing = self.entry.playing
        if len(playing) < 2:  # R4.8; nobody: R4.6
            self._settle(events, dict.fromkeys(playing, self.house.cards), (), ())
        else:
            assert self.entry.trump is not None
            self.tricks = Tricks(self.hands, playing, self.entry.trump, self.entry.dead, self.ledger.pot, self.house)
            self.to_act = self.tricks.to_act

    def _settle(
        self,
        events: list[Event],
        tricks: dict[int, int],
        uncorrected: set[int] | tuple[int, ...],
        corrected: list[int] | tuple[int, ...],
    ) -> None:
        settled = settle(self.ledger.pot, tricks, uncorrected, corrected, self.house)
        self.settlement = settled
        self.over = True
        for seat, chips in settled.taken.items():
            self.ledger.take(seat, chips)
            events.append(PotTaken(seat, chips))
        if settled.winner is None:
            events.append(PotCarried(settled.carry, settled.tied, played=bool(tricks)))
        for seat, chips in settled.payments.items():
            self.ledger.pay(seat, chips)
            events.append(MatchPaid(seat, chips, bourred=tricks[seat] == 0, reneged=seat in uncorrected))
