"""One match by action numbers, with the asked seat, its legal actions and the gains of all seats."""

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
"""The times of rewards: at the end of each deal, or at each change of a balance."""
_NO_ACTIONS: Final = bytes(ACTIONS)


@dataclass(frozen=True, slots=True)
class EpisodeTerms:
    """The table of an episode, its actions and its rewards."""

    seats: int
    deals: int
    house: HouseRules
    reneges: bool = False
    """Whether cards that break R5 or R6 are actions too, at their cost by the rules (R8)."""
    rewards: str = "deal"

    def __post_init__(self) -> None:
        """Raises InvalidHouse for an impossible table, and ValueError for unknown rewards."""
        self.house.check_seats(self.seats)
        if self.rewards not in REWARDS:
            raise ValueError(f"rewards={self.rewards!r}: use one of {', '.join(map(repr, REWARDS))}")


@mypyc_attr(allow_interpreted_subclasses=True)
class Episode:
    """A match in progress. As at a referee, seats with only one legal card are not asked."""

    def __init__(self, terms: EpisodeTerms, chance: Chance) -> None:
        self.match = Match(terms.seats, terms.deals, terms.house, chance)
        self.terms = terms
        self.by_deal = terms.rewards == "deal"
        self.silent = terms.reneges and terms.house.allows_recall
        self.over = False
        self.to_act = 0
        """The asked seat, or after the match the last one."""
        self.gains = [0] * terms.seats
        """The reward of each seat for the last step, in chips."""
        self.rewarded = False
        """Whether any reward is not 0."""
        self.events: list[Event] = []
        """The events of the last step or of the start."""
        self._paid = [0] * terms.seats
        """The balance of each seat at its last reward."""
        self._view: View | None = None
        self._flags: bytes | None = None
        self._recalling = False
        """Whether the seat to act may take its last card back."""
        self._follow(self.match.start(), rewards=False)

    def view(self) -> View:
        """Returns the view of the asked seat; raises InvalidAction after the match."""
        view = self._view
        if view is None:
            self._view = view = self.match.view(self.to_act)
        return view

    def look(self, seat: int) -> View:
        """Returns a seat's view, also after the match, when no seat is asked."""
        match = self.match
        if self.over:
            return view_of(match.deal, seat, match.deals, tuple(match.owed_turns), 0)
        return self.view() if seat == self.to_act else match.view(seat)

    def counts(self, seat: int) -> bytearray:
        """Returns the whole numbers of a seat's observation (`features.counts_of`)."""
        return counts_of(self.look(seat), self._recalling and seat == self.to_act)

    def chips(self, seat: int) -> list[float]:
        """Returns the logarithms of chips in a seat's observation (`features.chips_of`)."""
        return chips_of(self.look(seat))

    def legal(self) -> bytes:
        """Returns a byte for each action of the asked seat: 1 if it is legal. After the match, all are 0."""
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
        """Applies an action of the asked seat, and continues to the next question.

        Raises InvalidAction for an illegal action, which does not change the match.
        """
        if not 0 <= action < ACTIONS or not self.legal()[action]:
            raise InvalidAction(self._objection(action))
        view = self.view()
        if self._recalling:
            self._recall(view.seat, action)
        else:
            self.answer(choice_of(action, view))

    def answer(self, choice: Choice) -> None:
        """Applies a choice of the asked seat, at the same cost as for a bot, and continues."""
        view = self.view()
        if self.silent and isinstance(choice, Play) and choice.card not in view.legal:
            self._play_silently(view, choice.card)
        else:
            self._follow(self.match.apply(self.to_act, choice))

    def _play_silently(self, view: View, card: Card) -> None:
        """Lays an illegal card, and asks the same seat whether it takes the card back."""
        self.events = self.match.apply(self.to_act, PLAYS[card])
        self._recalling, self._flags, self.rewarded = True, None, False
        self._view = view

    def _recall(self, seat: int, action: int) -> None:
        self._recalling = False
        recall = recall_of(action)
        self._follow([] if recall is None else self.match.apply(seat, recall))

    def _follow(self, events: list[Event], rewards: bool = True) -> None:
        """Plays all forced cards, and finds the seat that is asked next.

        Without `rewards`, the next step rewards these events, because no reward comes before the first action.
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
            return f"action {action} comes too late, because the match is over: call reset()"
        legal = [number for number, flag in enumerate(self.legal()) if flag]
        return f"action {action} is not legal for seat {self.to_act}, which is asked to {self.view().decision}: {legal}"


def _settled(events: list[Event]) -> tuple[int, ...]:
    """Returns the balances at the end of the last deal among these events; empty if they end no deal."""
    for event in reversed(events):
        if isinstance(event, (DealEnded, MatchEnded)):
            return event.balances
    return ()
