"""Events: each has a readable text, and can be recreated from its repr."""

from __future__ import annotations

import pickle
from random import Random
from typing import get_args

from bourre.rules import events as kinds
from bourre.rules.actions import Action, Declare, Draw, Fault, Missing, Play, Recall
from bourre.rules.cards import Card, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.events import (
    CardDrawn,
    Drew,
    Event,
    HandDealt,
    MatchPaid,
    PotCarried,
    Reneged,
    RenegeRetracted,
    Stayed,
    TrickReopened,
    TrumpNamed,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import public_event, visible_to
from tests.sdk.random_answers import random_answer
from tests.sdk.rules.table import Table, stacked

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


def test_the_words_of_some() -> None:
    shown = {
        str(Drew(2, 0, (), ())): "seat 2 stands pat",
        str(Drew(2, 1, None, None)): "seat 2 discards 1 card",
        str(Drew(2, 1, (Card("2C"),), (Card("AS"),))): "seat 2 discards 2C, draws AS",
        str(HandDealt(1, None)): "seat 1 is dealt its cards",
        str(HandDealt(1, (Card("2C"), Card("AS")))): "seat 1 is dealt 2C AS",
        str(Reneged(1, Card("2C"), "R5.2", (Card("KH"),), 7)): (
            "seat 1 reneges with 2C (R5.2; legal: KH; matching the pot costs 7)"
        ),
        str(Reneged(1, Card("2C"), "R5.2", None, 7)): "seat 1 reneges with 2C (R5.2; matching the pot costs 7)",
        str(MatchPaid(3, 7, bourred=True, reneged=True)): "seat 3 pays 7 for bourré and a renege",
        str(PotCarried(13, (0, 5))): "seats 0, 5 tie: 13 stays in the pot",
        str(PotCarried(13, ())): "its winner is barred: 13 stays in the pot",
        str(PotCarried(13, (), played=False)): "nobody plays: 13 stays in the pot",
        str(CardDrawn(2, Card("5C"))): "seat 2 draws 5C for the deal",
        str(TurnedReturned(Card("9S"))): "9S is shuffled back into the stock",
        str(TurnedTaken(0, Card("9S"))): "seat 0 takes 9S into its hand",
        str(TrumpNamed(0, Suit.H)): "seat 0 names the trump: H",
        str(Stayed(1, True)): "seat 1 stays",
        str(Stayed(1, False)): "seat 1 passes after the draw",
        str(TrickReopened(3)): "trick 3 is open again",
        str(RenegeRetracted(2, Card("2C"))): "seat 2 takes back 2C (R8.4)",
    }
    assert list(shown) == list(shown.values())


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
