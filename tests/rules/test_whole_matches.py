"""Whole matches under any mixture of good and bad answers: what holds at every moment."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Unasked
from bourre.rules.cards import DECK, Card
from bourre.rules.events import DealStarted, Event, MatchEnded
from bourre.rules.match import Match
from bourre.rules.view import View, visible_to
from tests.rules.chips import Chips
from tests.rules.observer import Observer
from tests.rules.pack import Pack
from tests.strategies import ANSWER_FAULTS, matches

MOST_ANSWERS_A_DEAL = 8 + 40 + 40  # a declaration a seat, a card a seat and trick, each of them corrected once
going_on = precondition(lambda self: not self.match.over)


class WholeMatches(RuleBasedStateMachine):
    """Puts legal answers, reneges, silence and nonsense to a match, in any order."""

    match: Match

    @initialize(match=matches())
    def begin(self, match: Match) -> None:
        self.match = match
        self.chips = Chips(match.seats)
        self.observers = [Observer(seat, match.seats) for seat in range(match.seats)]
        self.answers = 0
        self.hear(match.start())

    @precondition(lambda self: self.match.over)
    @rule(match=matches())
    def begin_another(self, match: Match) -> None:
        self.begin(match)

    @going_on
    @rule(dice=st.randoms(use_true_random=False))
    def answer_legally(self, dice: Random) -> None:
        self.put(legal_answer(self.asked(), dice))

    @going_on
    @rule(seed=st.integers(0, 2**32), answers=st.integers(5, 60))
    def answer_legally_for_a_while(self, seed: int, answers: int) -> None:
        dice = Random(seed)
        for _ in range(answers):
            if not self.match.over:
                self.put(legal_answer(self.asked(), dice))

    @precondition(lambda self: not self.match.over and bool(illegal_cards(self.asked())))
    @rule(data=st.data())
    def renege(self, data: st.DataObject) -> None:
        self.put(Play(data.draw(st.sampled_from(illegal_cards(self.asked())))))

    @going_on
    @rule(data=st.data())
    def answer_with_cards_not_held(self, data: st.DataObject) -> None:
        view = self.asked()
        others = sorted(set(DECK) - set(view.hand))
        wrong = data.draw(st.lists(st.sampled_from(others), min_size=1, max_size=3))
        self.put(answer_with(view, tuple(wrong)))

    @precondition(lambda self: not self.match.over and self.match.decision != Decision.PLAY)
    @rule()
    def discard_a_card_twice(self) -> None:
        view = self.asked()
        self.put(answer_with(view, (view.hand[0], view.hand[0])))

    @going_on
    @rule(fault=st.sampled_from(ANSWER_FAULTS))
    def say_nothing_usable(self, fault: Fault) -> None:
        self.put(Missing(fault))

    @going_on
    @rule(turn=st.integers(0, 7), fault=st.sampled_from(Fault))
    def speak_unasked(self, turn: int, fault: Fault) -> None:
        self.hear(self.match.apply(turn % self.match.seats, Unasked(fault)))

    @going_on
    @rule(turn=st.integers(0, 7))
    def be_taken_over(self, turn: int) -> None:
        self.hear(self.match.apply(turn % self.match.seats, HandOver()))

    def asked(self) -> View:
        return self.match.view(self.match.to_act)

    def put(self, action: Action) -> None:
        self.answers += 1
        self.hear(self.match.apply(self.match.to_act, action))

    def hear(self, events: list[Event]) -> None:
        """Tells everybody, and asks everybody whether it is true."""
        for event in events:
            if isinstance(event, DealStarted):
                self.pack = Pack()
            self.pack.hear(event)
            self.chips.hear(event)
            assert sum(self.chips.balances) + self.chips.pot == 0
        for seat, observer in enumerate(self.observers):
            for event in visible_to(seat, events):
                observer.hear(event)
        assert self.match.ledger.balances == self.chips.balances
        assert self.match.ledger.pot == self.chips.pot
        if not self.match.over:
            self.check_views()
        else:
            assert events[-1] == MatchEnded(tuple(self.chips.balances))
            assert self.chips.pot == 0

    def check_views(self) -> None:
        """Each seat sees what it was told; the cards lie where the events put them; the seat asked has a choice."""
        for seat, observer in enumerate(self.observers):
            observer.check(self.match.view(seat))
        for seat, held in self.pack.hands.items():
            assert held == set(self.match.view(seat).hand)
        view = self.asked()
        assert view.legal
        assert set(view.legal) <= set(view.hand)
        assert view.decision == self.match.decision

    def teardown(self) -> None:
        """The match ends, whatever came before."""
        if not hasattr(self, "match"):
            return
        dice = Random(self.answers)
        while not self.match.over:
            assert self.answers <= MOST_ANSWERS_A_DEAL * self.match.deals
            self.put(legal_answer(self.asked(), dice))


def legal_answer(view: View, dice: Random) -> Action:
    """Any answer that the rules allow; two seats of three come in."""
    if view.decision == Decision.PLAY:
        return Play(dice.choice(view.legal))
    discards = tuple(dice.sample(view.hand, dice.randint(0, view.max_discards)))
    if view.decision == Decision.DRAW:
        return Draw(discards)
    return Declare(True, discards) if dice.random() < 0.67 else Declare(False)


def illegal_cards(view: View) -> list[Card]:
    """The cards whose play is a renege."""
    return [card for card in view.hand if card not in view.legal]


def answer_with(view: View, cards: tuple[Card, ...]) -> Action:
    """An answer of the kind asked for, with these cards."""
    if view.decision == Decision.PLAY:
        return Play(cards[0])
    return Draw(cards) if view.decision == Decision.DRAW else Declare(True, cards)


TestWholeMatches = WholeMatches.TestCase
TestWholeMatches.settings = settings(max_examples=150, stateful_step_count=50)
