"""Views: what follows from them, and what they refuse."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from bourre.rules.actions import Decision, Declare, Unasked
from bourre.rules.actions import Fault as F
from bourre.rules.cards import Card, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction, InvalidHouse
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.tricks import Trick
from bourre.words.table_words.deal_story import begin_match, follow
from tests.sdk.random_answers import random_answer
from tests.sdk.rules.table import Table, stacked

HANDS = ("2H 3H 8D TC 4S", "AS KS QS 6C 5D", "KH 2C 3C 4D 6S")


def test_a_view_before_the_play() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=4)
    view = table.view
    assert (view.seat, view.decision, view.deal, view.deals, view.dealer) == (1, Decision.DECLARE, 1, 4, 0)
    assert view.hand == view.legal == parse_cards("5D 6C QS KS AS")
    assert (view.pot, view.match, view.balances, view.seats) == (3, 3, (-1, -1, -1), 3)
    assert (view.leader, view.trick, view.tricks, view.playing) == (None, (), (), ())
    assert not view.cinch
    assert view.for_draw() == replace(view, decision=Decision.DRAW)


def test_a_view_in_the_play() -> None:
    table = Table(stacked(*HANDS), seats=3, preset="limit", ante=9)
    table.say("1 in", "2 in", "0 in")
    assert table.view.cinch
    assert table.view.match == 20
    table.say("1 AS", "2 6S", "0 4S", "1 KS")
    view = table.view
    assert (view.seat, view.leader, view.trick, view.playing) == (2, 1, (Card("KS"),), (1, 2, 0))
    assert view.tricks_won == (0, 1, 0)
    assert view.tricks == (Trick(1, parse_cards("AS 6S 4S"), 1),)


def test_a_seat_alone_sees_what_it_discarded() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in 5D 6C")
    assert [table.match.view(seat).discarded for seat in range(3)] == [(), parse_cards("5D 6C"), ()]
    assert table.view.drawn == (None, 2, None)


def test_only_the_seat_that_is_asked_has_legal_cards_in_the_play() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in", "2 in", "0 in")
    assert [bool(table.match.view(seat).legal) for seat in range(3)] == [False, True, False]


def test_a_view_has_the_balances_and_the_pot_that_the_events_tell() -> None:
    dice = Random(4)
    house = HouseRules.preset("limit")
    match = Match(4, 20, house, SeededChance(bytes(32)))
    story, events = begin_match(4, house), match.start()
    while not match.over:
        for event in events:
            story = follow(story, event)
        view = match.view(match.to_act)
        assert (view.balances, view.pot) == (tuple(story.balances), story.chips)
        events = match.apply(match.to_act, random_answer(view, dice))


def test_the_position_of_a_view_is_that_of_the_rules() -> None:
    dice = Random(5)
    match = Match(5, 20, HouseRules.preset("limit"), SeededChance(bytes(32)))
    match.start()
    compared = 0
    while not match.over:
        view = match.view(match.to_act)
        if match.deal.tricks is not None:
            assert view.position == match.deal.tricks.position()
            compared += 1
        match.apply(match.to_act, random_answer(view, dice))
    assert compared > 200


@pytest.mark.parametrize("policy", ["prompt", "retract"])
def test_a_view_stays_what_it_was_when_the_match_goes_on(policy: str) -> None:
    dice = Random(6)
    match = Match(5, 20, HouseRules.preset("limit", renege_policy=policy), SeededChance(bytes(32)))
    match.start()
    views = []
    while not match.over:
        views += [(view, repr(view), repr(view.for_draw())) for view in map(match.view, range(5))]
        match.apply(match.to_act, random_answer(match.view(match.to_act), dice))
    assert len(views) > 1000
    for view, shown, for_draw in views:
        assert (repr(view), repr(view.for_draw())) == (shown, for_draw)


def test_a_view_can_be_pickled_replaced_and_looked_up() -> None:
    view = Table(stacked(*HANDS), seats=3).view
    copy = pickle.loads(pickle.dumps(view))
    assert copy == replace(view) == view
    assert {view: 1}[copy] == 1
    assert replace(view, pot=view.pot + 1) != view
    with pytest.raises(FrozenInstanceError):
        copy.pot = 5


def test_the_dice_of_a_view_are_the_same_when_asked_again_and_others_for_each_decision() -> None:
    table = Table(stacked(*HANDS), seats=3)
    numbers = []
    while not table.match.over:
        view = table.view
        assert view.rng.random() == view.rng.random()
        numbers.append(view.rng.random())
        if view.decision == Decision.DECLARE:
            numbers.append(view.for_draw().rng.random())
            table.say(f"{view.seat} in")
        else:
            table.play(str(view.legal[0]))
    assert len(numbers) == len(set(numbers)) == 6 + 15


def test_a_match_that_is_over_asks_nobody() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 pass", "2 pass")
    assert table.match.over
    for question in (lambda: table.match.to_act, lambda: table.match.decision, lambda: table.match.view(0)):
        with pytest.raises(InvalidAction, match=r"^this match is over: nobody is asked any more$"):
            question()
    with pytest.raises(InvalidAction, match=r"^seat 0 is not asked$"):
        table.say("0 pass")
    assert table.say("0 !premature") == table.events[-1:]  # still a fault


def test_a_match_that_was_not_started_asks_nobody() -> None:
    match = Match(3, 1, HouseRules(), SeededChance(bytes(32)))
    with pytest.raises(InvalidAction, match=r"^this match has not been started: call start\(\) first$"):
        match.view(0)
    with pytest.raises(InvalidAction, match=r"^this match has not been started: call start\(\) first$"):
        match.apply(0, Declare(False))
    match.start()
    with pytest.raises(InvalidAction, match=r"^this match has already started$"):
        match.start()


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_such_seat(seat: int) -> None:
    match = Table(stacked(*HANDS), seats=3).match
    with pytest.raises(InvalidAction, match=f"^there is no seat {seat}: the seats are 0 to 2$"):
        match.view(seat)
    with pytest.raises(InvalidAction, match=f"^there is no seat {seat}: "):
        match.apply(seat, Unasked(F.PREMATURE))


def test_a_match_has_a_deal_at_least() -> None:
    with pytest.raises(InvalidHouse, match=r"^0 deals are too few for a match\.\nhint: use 1 or more$"):
        Match(3, 0, HouseRules(), SeededChance(bytes(32)))
