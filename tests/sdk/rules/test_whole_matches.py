"""Whole matches under any mixture of good and bad answers: what holds at every moment."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from bourre.record import Header, Recorder, Step, read, replay
from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Recall, Unasked
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.events import (
    CardDrawn,
    DealStarted,
    Event,
    Faulted,
    MatchEnded,
    RenegeCorrected,
    Reneged,
    TurnForfeited,
)
from bourre.rules.match import Match
from bourre.rules.visibility import View, visible_to
from tests.sdk.random_answers import illegal_cards, legal_answer
from tests.sdk.rules.chips import Chips
from tests.sdk.rules.observer import Observer
from tests.sdk.rules.pack import Pack
from tests.strategies import ANSWER_FAULTS, cards, matches

MOST_ANSWERS_A_DEAL = 1 + 3 * 8 + 40 + 40  # the trump; three answers a seat; its cards, each of them corrected once
WITH_CARDS = (Decision.DECLARE, Decision.DRAW, Decision.PLAY)
going_on = precondition(lambda self: not self.match.over)


class WholeMatches(RuleBasedStateMachine):
    """Plays legal answers, reneges, silence and nonsense in any order."""

    match: Match

    @initialize(match=matches())
    def begin(self, match: Match) -> None:
        self.match = match
        self.chips = Chips(match.seats)
        self.observers = [Observer(seat, match.seats) for seat in range(match.seats)]
        self.answers = 0
        self.steps: list[Step] = []
        self.silent: tuple[int, tuple[Card, ...]] | None = None
        seed = match._chance.seed  # type: ignore[attr-defined]  # every chance of a strategy has one
        self.header = Header("random", tuple("abcdefgh"[: match.seats]), match.deals, seed, match.house)
        self.steps.append(Step(None, None, match.start()))
        self.hear(self.steps[0].events)

    @precondition(lambda self: self.match.over)
    @rule(match=matches())
    def begin_another(self, match: Match) -> None:
        self.check_that_a_record_tells_all()
        self.begin(match)

    @going_on
    @rule(dice=st.randoms(use_true_random=False))
    def answer_legally(self, dice: Random) -> None:
        self.put(legal_answer(self.asked(), dice))

    @going_on
    @rule(seed=st.integers(0, 2**32), answers=st.integers(5, 100), reneges=st.sampled_from([0, 0.2]))
    def answer_for_a_while(self, seed: int, answers: int, reneges: float) -> None:
        """Answers legally, or with an occasional renege, half of which are recalled if that is allowed."""
        dice = Random(seed)
        for _ in range(answers):
            if not self.match.over:
                illegal = illegal_cards(self.asked())
                wrong = bool(illegal) and dice.random() < reneges
                self.put(Play(dice.choice(illegal)) if wrong else legal_answer(self.asked(), dice))
            if self.silent is not None and dice.random() < 0.5:
                self.recall(self.silent[0], dice.choice(self.silent[1]))

    @precondition(lambda self: not self.match.over and bool(illegal_cards(self.asked())))
    @rule(data=st.data())
    def renege(self, data: st.DataObject) -> None:
        self.put(Play(data.draw(st.sampled_from(illegal_cards(self.asked())))))

    @precondition(lambda self: self.silent is not None)
    @rule(data=st.data())
    def recall_in_time(self, data: st.DataObject) -> None:
        assert self.silent is not None
        seat, legal = self.silent
        events = self.recall(seat, data.draw(st.sampled_from(legal)))
        assert [type(event) for event in events[:2]] == [Reneged, RenegeCorrected]

    @going_on
    @rule(turn=st.integers(0, 7), card=cards())
    def recall_wrongly(self, turn: int, card: Card) -> None:
        seat = turn % self.match.seats
        if self.silent is None or seat != self.silent[0] or card not in self.silent[1]:
            assert self.recall(seat, card) == [Faulted(seat, Fault.UNASKED)]

    @precondition(lambda self: not self.match.over and self.match.decision in WITH_CARDS)
    @rule(data=st.data())
    def answer_with_cards_not_held(self, data: st.DataObject) -> None:
        view = self.asked()
        others = sorted(set(DECK) - set(view.hand))
        wrong = data.draw(st.lists(st.sampled_from(others), min_size=1, max_size=3))
        self.put(answer_with(view, tuple(wrong)))

    @precondition(lambda self: not self.match.over and self.match.decision in WITH_CARDS[:2])
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
        self.apply(turn % self.match.seats, Unasked(fault))

    @going_on
    @rule(turn=st.integers(0, 7))
    def be_taken_over(self, turn: int) -> None:
        self.apply(turn % self.match.seats, HandOver())

    def asked(self) -> View:
        return self.match.view(self.match.to_act)

    def put(self, action: Action) -> None:
        self.answers += 1
        view = self.asked()
        self.apply(view.seat, action)
        told = view.house.renege_policy != "silent" or self.match.over or self.match.deal.number != view.deal
        reneged = view.decision == Decision.PLAY and isinstance(action, Play) and action.card in illegal_cards(view)
        self.silent = (view.seat, view.legal) if reneged and not told else None

    def recall(self, seat: int, card: Card) -> list[Event]:
        events = self.apply(seat, Recall(card))
        if len(events) > 1:
            self.silent = None
        return events

    def apply(self, seat: int, action: Action) -> list[Event]:
        events = self.match.apply(seat, action)
        self.steps.append(Step(seat, action, events))
        self.hear(events)
        return events

    def hear(self, events: list[Event]) -> None:
        """Shows the events to every observer, and checks what they know."""
        for event in events:
            if isinstance(event, DealStarted):
                self.pack = Pack(self.match.house)
            if not isinstance(event, CardDrawn | TurnForfeited):
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
        """Each seat sees what it was told; the cards are where the events put them; the seat asked has a choice."""
        for seat, observer in enumerate(self.observers):
            observer.check(self.match.view(seat))
        for seat, held in self.pack.hands.items():
            assert held == set(self.match.view(seat).hand)
        self.check_question(self.asked())

    def check_question(self, view: View) -> None:
        """The seat that is asked has a choice that matters to the rules."""
        house, asked = self.match.house, self.match.asked
        assert view.decision == self.match.decision
        assert set(view.legal) <= set(view.hand)
        assert bool(view.legal) == (view.decision in WITH_CARDS)
        assert asked[0] == view.seat
        at_once = house.declare_mode == "simultaneous" and view.decision == Decision.DECLARE
        assert len(asked) == 1 or (at_once and len(set(asked)) == len(asked))
        if at_once:
            assert all(view.plays[seat] is None for seat in asked)
        if view.decision == Decision.DECLARE:
            assert house.must_hold == "none" or any(card.suit in (view.trump, Suit.C) for card in view.hand)
            others = [plays for seat, plays in enumerate(view.plays) if seat != view.dealer]
            assert at_once or view.seat != view.dealer or any(others)
        elif view.decision == Decision.PLAY:
            tricks = self.match.deal.tricks
            assert tricks is not None
            assert tricks.position() == view.position
            assert [tricks.won.get(seat, 0) for seat in range(view.seats)] == list(view.tricks_won)
        else:
            assert view.decision == Decision.NAME_TRUMP or len(view.playing) > 1
            assert view.decision == Decision.NAME_TRUMP or view.seat in view.playing or house.declare_mode == "turn"

    def teardown(self) -> None:
        """Whatever happened before, the match ends."""
        if not hasattr(self, "match"):
            return
        dice = Random(self.answers)
        while not self.match.over:
            assert self.answers <= MOST_ANSWERS_A_DEAL * self.match.deals
            self.put(legal_answer(self.asked(), dice))
        self.check_that_a_record_tells_all()

    def check_that_a_record_tells_all(self) -> None:
        """Seed and answers, written down and read again, are the same match."""
        recorder = Recorder(self.header)
        recorder.note(None, None, self.steps[0].events)
        for step in self.steps[1:]:
            recorder.note(*step)
        assert list(replay(read(recorder.text()))) == self.steps


def answer_with(view: View, cards: tuple[Card, ...]) -> Action:
    """An answer of the kind asked for, with these cards."""
    if view.decision == Decision.PLAY:
        return Play(cards[0])
    return Draw(cards) if view.decision == Decision.DRAW else Declare(True, cards)


TestWholeMatches = WholeMatches.TestCase
TestWholeMatches.settings = settings(stateful_step_count=50)
