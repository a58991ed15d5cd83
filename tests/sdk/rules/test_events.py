"""Events: the exact text of each, its repr, and what others see of it; drafts of them are what the class makes."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError
from pickle import dumps, loads
from random import Random
from typing import get_args

import pytest

from bourre.rules import events
from bourre.rules import events as kinds
from bourre.rules.actions import Action, Declare, Draw, Fault, Missing, Play, Recall
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.draft import draft_class, freeze
from bourre.rules.events import Drew, Event, HandDealt, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import public_event, visible_to
from tests.sdk.random_answers import random_answer
from tests.sdk.rules.table import Table, stacked

QS, TWO = Card("QS"), parse_cards("2C 7H")

TEXTS: list[tuple[Event, str]] = [
    (events.AntePaid(3, 2), "seat 3 antes 2"),
    (events.CardDrawn(1, QS), "seat 1 draws QS for the deal"),
    (events.CardPlayed(1, QS), "seat 1 plays QS"),
    (events.DealEnded(4, (5, -7, 0), 2), "deal 4 ends: balances +5 -7 +0, pot 2"),
    (events.DealForfeited(2), "seat 2 answered before it was asked and forfeits its next turn to deal (R4.7)"),
    (events.DealStarted(4, 2), "deal 4: seat 2 deals"),
    (events.Declared(1, True), "seat 1 plays"),
    (events.Declared(1, False), "seat 1 passes"),
    (events.Declared(1, True, obliged=True), "seat 1 plays (obliged)"),
    (events.Drew(1, 0, (), ()), "seat 1 stands pat"),
    (events.Drew(1, 2, None, None), "seat 1 discards 2 cards"),
    (events.Drew(1, 2, TWO, None), "seat 1 discards 2 cards"),
    (events.Drew(1, 2, None, TWO), "seat 1 discards 2 cards"),
    (events.Drew(1, 2, TWO, parse_cards("3D AS")), "seat 1 discards 2C 7H, draws 3D AS"),
    (events.Faulted(1, Fault.ILLEGAL_DISCARD), "seat 1 is at fault: illegal discard"),
    (events.FinePaid(1, 10), "seat 1 pays 10 in fines"),
    (events.HandDealt(1, TWO), "seat 1 is dealt 2C 7H"),
    (events.HandDealt(1, None), "seat 1 is dealt its cards"),
    (events.HouseTookOver(1), "the referee plays seat 1 from now on"),
    (events.MatchEnded((5, -5, 0)), "the match ends: +5 -5 +0"),
    (events.MatchPaid(1, 7, True, False), "seat 1 pays 7 for bourré"),
    (events.MatchPaid(1, 7, False, True), "seat 1 pays 7 for a renege"),
    (events.MatchPaid(1, 7, True, True), "seat 1 pays 7 for bourré and a renege"),
    (events.Penalized(1, "R8.5", 7), "seat 1 is barred from the pot and owes 7 to match it (R8.5)"),
    (events.PotCarried(7, (1, 3)), "seats 1, 3 tie: 7 stays in the pot"),
    (events.PotCarried(0, (1, 3)), "seats 1, 3 tie: nothing stays in the pot"),
    (events.PotCarried(7, ()), "its winner is barred: 7 stays in the pot"),
    (events.PotCarried(7, (), played=False), "nobody plays: 7 stays in the pot"),
    (events.PotShared(1, 2), "seat 1 gets 2 of the pot left on the table"),
    (events.PotTaken(1, 7), "seat 1 takes 7 from the pot"),
    (
        events.RenegeCorrected(1, QS),
        "seat 1 takes back QS, is barred from the pot and forfeits its next turn to deal (R8.2)",
    ),
    (events.Reneged(1, QS, "R5.2", None, 7), "seat 1 reneges with QS (R5.2; matching the pot costs 7)"),
    (events.Reneged(1, QS, "R5.2", TWO, 7), "seat 1 reneges with QS (R5.2; legal: 2C 7H; matching the pot costs 7)"),
    (events.RenegeRetracted(1, QS), "seat 1 takes back QS (R8.4)"),
    (events.Stayed(1, True), "seat 1 stays"),
    (events.Stayed(1, False), "seat 1 passes after the draw"),
    (events.StockGathered(9), "the stock is empty: 9 cards are gathered and shuffled (R4.4)"),
    (events.TrickReopened(2), "trick 2 is open again"),
    (events.TrickTaken(1, 2), "seat 1 takes trick 2"),
    (events.TrumpNamed(1, Suit.S), "seat 1 names the trump: S"),
    (events.TrumpTurned(QS, Suit.S), "QS is turned up: trump is S"),
    (events.TurnForfeited(1), "seat 1 forfeits its turn to deal (R1.4)"),
    (events.TurnedReturned(QS), "QS is shuffled back into the stock"),
    (events.TurnedTaken(1, QS), "seat 1 takes QS into its hand"),
]


@pytest.mark.parametrize(("event", "text"), TEXTS, ids=lambda word: type(word).__name__)
def test_an_event_reads_so(event: Event, text: str) -> None:
    assert str(event) == text


def test_every_kind_of_event_is_here() -> None:
    assert {type(event) for event, _ in TEXTS} == set(get_args(Event))


HOUSES = [
    HouseRules.preset("nba", first_dealer="high_card"),
    HouseRules.preset("indiana", renege_policy="retract"),
    HouseRules.preset("separate_dealer_option", renege_policy="silent"),
    HouseRules(trump_card="separate_returned", renege_policy="silent"),
]
NAMES = vars(kinds) | {"Card": Card, "Suit": Suit, "Fault": Fault}


def long_match() -> list[Event]:
    """The events of an eventful match of eight seats."""
    dice = Random(3)
    match = Match(8, 30, HouseRules.preset("limit"), SeededChance(bytes(32)))
    events = match.start()
    while not match.over:
        events += match.apply(match.to_act, random_answer(match.view(match.to_act), dice))
    return events


def other_matches() -> list[Event]:
    """The events of shorter matches under other house rules, including silent reneges and their recall."""
    dice = Random(5)
    events: list[Event] = []
    for house in HOUSES:
        match = Match(4, 10, house, SeededChance(bytes(32)))
        events += match.start()
        while not match.over:
            view = match.view(match.to_act)
            events += match.apply(view.seat, action := random_answer(view, dice))
            if isinstance(action, Play) and action.card not in view.legal and not match.over:
                events += match.apply(view.seat, Recall(view.legal[0]))
    return events


def test_every_kind_of_event_reads_well_and_its_repr_constructs() -> None:
    table = Table(stacked("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D"), seats=2, fault_fine=1)
    fined = table.say("1 !premature", "0 house") + table.finish()
    events = long_match() + other_matches() + fined
    assert {type(event) for event in events} == set(get_args(Event))
    for event in events:
        assert eval(repr(event), NAMES) == event
        assert pickle.loads(pickle.dumps(event)) == event
        assert str(event).strip()
        assert "(" not in str(event) or ")" in str(event)
        assert "Card(" not in str(event)
        assert "<" not in str(event)


def test_events_of_others_are_shown_without_their_cards() -> None:
    events = long_match()
    for seat in range(8):
        for event in visible_to(seat, events):
            if isinstance(event, HandDealt):
                assert event.seat == seat
            if isinstance(event, Drew):
                assert (event.discarded is None) == (event.received is None) == (event.seat != seat)
            if isinstance(event, Reneged):
                assert (event.legal is None) == (event.seat != seat)


def test_an_onlooker_is_shown_every_event_without_the_cards_of_a_seat() -> None:
    met = set()
    for event in long_match():
        shown = public_event(event)
        met.add(type(event))
        match event:
            case HandDealt():
                assert shown == HandDealt(event.seat, None)
            case Drew():
                assert shown == Drew(event.seat, event.number, None, None)
            case Reneged():
                assert shown == Reneged(event.seat, event.card, event.rule, None, event.match)
            case _:
                assert shown == event
    assert {HandDealt, Drew, Reneged} <= met


def test_the_same_answers_give_the_same_match() -> None:
    """The content of a record, seed and answers, is enough."""
    dice = Random(4)
    first, second = (Match(6, 10, HouseRules.preset("limit"), SeededChance(bytes(32))) for _ in range(2))
    assert first.start() == second.start()
    while not first.over:
        action: Action = random_answer(first.view(first.to_act), dice)
        assert isinstance(action, Declare | Draw | Play | Missing)
        assert first.apply(first.to_act, action) == second.apply(second.to_act, action)
    assert second.over


def freeze_hand() -> HandDealt:
    """Makes the event of a hand by way of a draft."""
    draft = draft_class(HandDealt)()
    draft.seat = 3
    draft.cards = parse_cards("2C AS")
    return freeze(draft, HandDealt)


def test_a_frozen_draft_equals_what_the_class_makes() -> None:
    made = HandDealt(3, parse_cards("2C AS"))
    assert (freeze_hand(), repr(freeze_hand()), hash(freeze_hand())) == (made, repr(made), hash(made))
    assert loads(dumps(freeze_hand())) == deepcopy(freeze_hand()) == made


def test_a_frozen_draft_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        freeze_hand().seat = 1  # type: ignore[misc]
