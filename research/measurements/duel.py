"""Plays one match with a ruse at one seat, directly by the rules: no clock, no network, no limit on faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ruses import Policy, Ruse

from bourre.bot import Bot
from bourre.rules.actions import Action, Fault, HandOver, Missing
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.events import DealEnded, Event, Faulted, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units

RuseMaker = Callable[[Policy], Ruse]


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything about a match except the ruse, so that two matches with it differ only in the ruse."""

    house: HouseRules
    deals: int
    duplicate: bool
    """Whether the deal is one seating of format `duplicate`: settled by itself, with the stock of that format."""
    seed: bytes
    seat: int
    """The seat of the ruse."""
    policy: type[Bot]
    """The bot that the ruse is based on."""
    others: Sequence[type[Bot]]
    """The opponents, from the seat on the left of the ruse."""


@dataclass(frozen=True, slots=True)
class Played:
    """The chips of the seat with the ruse, and how often it broke rules."""

    chips: float
    wrongs: int
    """Faults and reneges, including corrected ones."""


class Duel:
    """One match of a ruse against honest bots."""

    def __init__(self, setting: Setting, ruse: RuseMaker, shadows: Sequence[type[Ruse]] = ()) -> None:
        """`shadows`: ruses that only watch, to see where they would act differently."""
        seats = len(setting.others) + 1
        self._seat = setting.seat
        policy = Policy(setting.policy())
        self._ruse = ruse(policy)
        self.alike = [shadow(policy) for shadow in shadows]
        """The shadows that would have acted the same so far: in this match they make no difference."""
        self._others = {
            (setting.seat + 1 + turn) % seats: Ruse(Policy(bot())) for turn, bot in enumerate(setting.others)
        }
        chance = DuplicateChance(setting.seed) if setting.duplicate else SeededChance(setting.seed)
        self._match = Match(seats, setting.deals, setting.house, chance, 1 if setting.duplicate else None)
        self._left: DealEnded | None = None
        self._duplicate = setting.duplicate
        self._gone = False
        self._wrongs = 0

    def play(self) -> Played:
        """Plays it to the end."""
        match = self._match
        match.start()
        while not match.over:
            seat = match.to_act
            if seat != self._seat:
                self._interrupt()
                self._apply(seat, self._others[seat].answer(match.view(seat)))
            elif self._gone:
                self._apply(seat, match.deal.default())
            else:
                self._answer()
        return Played(self._chips(), self._wrongs)

    def _chips(self) -> float:
        if self._duplicate and self._left:
            return settle_in_units(self._left.balances, self._left.pot)[self._seat] / UNIT
        return self._match.ledger.balances[self._seat]

    def _interrupt(self) -> None:
        if not self._ruse.interrupts and not any(shadow.interrupts for shadow in self.alike):
            return
        view = self._match.view(self._seat)
        word = self._ruse.interrupt(view)
        self.alike = [shadow for shadow in self.alike if shadow.interrupt(view) == word]
        if word:
            self._apply(self._seat, word)

    def _answer(self) -> None:
        view = self._match.view(self._seat)
        action = self._ruse.answer(view)
        self.alike = [shadow for shadow in self.alike if shadow.answer(view) == action]
        if isinstance(action, HandOver):
            self._gone = True
            self._apply(self._seat, Missing(Fault.DISCONNECTED))
        else:
            self._apply(self._seat, action)
            if recall := self._ruse.recall(view, action):
                self._apply(self._seat, recall)

    def _apply(self, seat: int, action: Action) -> None:
        events = self._match.apply(seat, action)
        self._wrongs += sum(map(self._is_wrong, events))
        self._left = next((event for event in events if isinstance(event, DealEnded)), self._left)

    def _is_wrong(self, event: Event) -> bool:
        return isinstance(event, Faulted | Reneged) and event.seat == self._seat
