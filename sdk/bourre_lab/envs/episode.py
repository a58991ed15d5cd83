"""One match played by the numbers of actions: who is asked, what is legal, and what each seat has gained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bourre.rules.actions import PLAYS, Action, Choice, Play
from bourre.rules.cards import Card
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.deck import Chance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import DealEnded, Event, MatchEnded
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre.rules.visibility import view_of
from bourre_lab.envs.action_space import ACTIONS, choice_of, legal_flags, recall_flags, recall_of
from bourre_lab.envs.features import chips_of, counts_of

REWARDS: Final = ("deal", "balance")
"""When seats are rewarded: at the end of each deal, or whenever their balance changes."""
_NO_ACTIONS: Final = bytes(ACTIONS)


@dataclass(frozen=True, slots=True)
class EpisodeTerms:
    """What is played, and how a learner is asked and rewarded."""

    seats: int
    deals: int
    house: HouseRules
    reneges: bool = False
    """Whether cards that break R5 or R6 are offered as actions; they cost what the rules say (R8)."""
    rewards: str = "deal"

    def __post_init__(self) -> None:
        """Raises InvalidHouse for a table that nobody can play at, ValueError for unknown rewards."""
        self.house.check_seats(self.seats)
        if self.rewards not in REWARDS:
            raise ValueError(f"rewards={self.rewards!r}: write one of {', '.join(map(repr, REWARDS))}")


@mypyc_attr(allow_interpreted_subclasses=True)
class Episode:
    """A match in progress. Seats with only one legal card are not asked, as at a referee."""

    def __init__(self, terms: EpisodeTerms, chance: Chance) -> None:
        self.match = Match(terms.seats, terms.deals, terms.house, chance)
        self.terms = terms
        self.by_deal = terms.rewards == "deal"
        self.silent = terms.reneges and terms.house.allows_recall
        self.over = False
        self.to_act = 0
        """The seat that is asked; the last one asked, once the match is over."""
        self.gains = [0] * terms.seats
        """The reward of each seat for the last step, in chips."""
        self.rewarded = False
        """Whether any of them is not 0."""
        self.events: list[Event] = []
        """What the last step, or the start, has caused."""
        self._paid = [0] * terms.seats
        """The balance of each seat up to which it has been rewarded."""
        self._view: View | None = None
        self._flags: bytes | None = None
        self._recalling = False
        """Whether the seat to act may take back the card that it has just played."""
        self._follow(self.match.start(), rewards=False)

    def view(self) -> View:
        """Returns the view of the seat that is asked; raises InvalidAction when the match is over."""
        view = self._view
        if view is None:
            self._view = view = self.match.view(self.to_act)
        return view

    def look(self, seat: int) -> View:
        """Returns what a seat sees, also after the last card of the match, when nobody is asked."""
        match = self.match
        if self.over:
            return view_of(match.deal, seat, match.deals, tuple(match.owed_turns), 0)
        return self.view() if seat == self.to_act else match.view(seat)

    def counts(self, seat: int) -> bytearray:
        """Returns the whole numbers of what a seat sees now (`features.counts_of`)."""
        return counts_of(self.look(seat), self._recalling and seat == self.to_act)

    def chips(self, seat: int) -> list[float]:
        """Returns the logarithms of chips that a seat sees now (`features.chips_of`)."""
        return chips_of(self.look(seat))

    def legal(self) -> bytes:
        """Returns a byte for each action of the seat that is asked, 1 if it is legal; all 0 when the match is over."""
        flags = self._flags
        if flags is None:
            if self.over:
                flags = _NO_ACTIONS
            elif self._recalling:
                flags = recall_flags(self.view().legal)
            else:
                flags = legal_flags(self.view(), self.terms.reneges)
            self._flags = flags
        return flags

    def step(self, action: int) -> None:
        """Applies an action of the seat that is asked, and goes on to the next question.

        Raises InvalidAction for an action that is not legal; the match stays as it was.
        """
        if not 0 <= action < ACTIONS or not self.legal()[action]:
            raise InvalidAction(self._objection(action))
        view = self.view()
        if self._recalling:
            self._recall(view.seat, action)
        else:
            self.answer(choice_of(action, view))

    def answer(self, choice: Choice) -> None:
        """Applies a choice of the seat that is asked, for which it pays as a bot would, and goes on."""
        view = self.view()
        if self.silent and isinstance(choice, Play) and choice.card not in view.legal:
            self._play_silently(view, choice.card)
        else:
            self._follow(self.match.apply(self.to_act, choice))

    def _play_silently(self, view: View, card: Card) -> None:
        """Lays a card that breaks a rule, and asks the same seat whether it takes the card back."""
        self.events = self.match.apply(self.to_act, PLAYS[card])
        self._recalling, self._flags, self.rewarded = True, None, False
        self._view = view

    def _recall(self, seat: int, action: int) -> None:
        self._recalling = False
        recall = recall_of(action)
        self._follow([] if recall is None else self.match.apply(seat, recall))

    def _follow(self, events: list[Event], rewards: bool = True) -> None:
        """Plays all forced cards, and finds out who is asked next.

        Without `rewards`, the next step rewards what happened: nobody is rewarded before the first action.
        """
        match = self.match
        while not match.over:
            deal = match.deal
            forced: Action | None = deal.forced
            if forced is None:
                self.to_act = deal.to_act
                break
            events += match.apply(deal.to_act, forced)
        self.over = match.over
        self.events = events
        self._view = self._flags = None
        if rewards:
            self._reward(events)

    def _reward(self, events: list[Event]) -> None:
        balances: list[int] | tuple[int, ...] = self.match.ledger.balances
        if self.by_deal:
            balances = _settled(events)
            if not balances:
                self.rewarded = False
                return
        paid = self._paid
        self.gains = [balance - before for balance, before in zip(balances, paid, strict=True)]
        self.rewarded = any(self.gains)
        if self.rewarded:
            self._paid = list(balances)

    def _objection(self, action: int) -> str:
        if self.over:
            return f"action {action} comes too late: the match is over, call reset()"
        legal = [number for number, flag in enumerate(self.legal()) if flag]
        return f"action {action} is not legal for seat {self.to_act}, which is asked to {self.view().decision}: {legal}"


def _settled(events: list[Event]) -> tuple[int, ...]:
    """Returns the balances at the end of the last deal that these events end; none if they end no deal."""
    for event in reversed(events):
        if isinstance(event, (DealEnded, MatchEnded)):
            return event.balances
    return ()
