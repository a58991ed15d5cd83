"""R3.2: where the trump comes from, in all five forms."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import Card, Suit, card_set, parse_cards
from bourre.rules.errors import InvalidAction
from bourre.rules.events import Declared, Drew, Faulted, HandDealt, TrumpNamed, TrumpTurned, TurnedReturned, TurnedTaken
from tests.sdk.rules.table import Table, of, stacked

HANDS = ("2H 3H 8D TC 4C", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D")
STOCK = "9S 5S 6S 7S 8S"
MODES = ["turn", "separate", "simultaneous"]


def turned_up(form: str, **keys: Any) -> Table:
    """Three seats; the stock begins with the nine of spades."""
    return Table(stacked(*HANDS, stock=STOCK), seats=3, trump_card=form, **keys)


def all_in(form: str, **keys: Any) -> Table:
    """All three play, in separate rounds, and seats 1 and 2 stand pat: the dealer draws."""
    table = turned_up(form, declare_mode="separate", **keys)
    table.say("1 in", "2 in", "0 in", "1 draw", "2 draw")
    return table


def test_r3_2_dealer_fifth_the_card_is_the_dealers() -> None:
    table = turned_up("dealer_fifth")
    assert table.events[-1] == TrumpTurned(Card("4C"), Suit.C)
    assert table.view.dead is None
    assert Card("4C") in table.match.view(0).hand


@pytest.mark.parametrize("cards", [4, 5])
def test_r3_2_separate_dead_one_more_card_is_turned_and_is_nobodys(cards: int) -> None:
    hands = [hand[: 3 * cards - 1] for hand in HANDS]
    table = Table(stacked(*hands, stock=STOCK), seats=3, trump_card="separate_dead", cards=cards)
    assert table.events[-1] == TrumpTurned(Card("9S"), Suit.S)
    assert (table.view.turned, table.view.dead, table.view.trump) == (Card("9S"), Card("9S"), Suit.S)
    (drew,) = of(Drew, table.say("1 in 9H"))
    assert drew.received == parse_cards("5S")
    table.say("2 in", "0 in")
    assert table.match.deal.tricks is not None
    position = table.match.deal.tricks.position()
    assert position.dead == card_set(parse_cards("9S"))  # counts as played (R6.1)
    assert position == table.view.position


@pytest.mark.parametrize("mode", MODES)
def test_r3_2_separate_dealer_option_the_dealer_takes_it_for_one_of_his_discards(mode: str) -> None:
    table = turned_up("separate_dealer_option", declare_mode=mode)
    table.say("1 in", "2 in")
    if mode != "turn":
        table.say("0 in", "1 draw", "2 draw")
    assert table.match.view(0).may_take_turned
    assert not table.match.view(1).may_take_turned
    events = table.say("0 in 2H 3H take" if mode == "turn" else "0 draw 2H 3H take")
    assert events[-2:] == [TurnedTaken(0, Card("9S")), Drew(0, 2, parse_cards("2H 3H"), parse_cards("5S"))]
    assert table.match.view(0).hand == parse_cards("4C 5S 8D 9S TC")
    assert table.match.view(0).drawn[0] == 2
    assert (table.view.dead, table.view.position.dead) == (None, 0)  # it is live now


def test_r3_2_separate_dealer_option_one_discard_is_no_card_dealt() -> None:
    events = all_in("separate_dealer_option").say("0 draw 2H take")
    assert of(Drew, events) == [Drew(0, 1, parse_cards("2H"), ())]


def test_r3_2_separate_dealer_option_not_taken_it_is_dead() -> None:
    table = all_in("separate_dealer_option")
    events = table.say("0 draw 2H")
    assert (of(TurnedTaken, events), of(Drew, events)[0].received) == ([], parse_cards("5S"))
    assert table.view.position.dead == card_set(parse_cards("9S"))


@pytest.mark.parametrize("line", ["0 draw take", "0 draw 9H take", "0 draw 2H 3H 8D take"])
def test_r3_2_separate_dealer_option_an_illegal_taking_stands_pat_and_is_a_fault(line: str) -> None:
    table = all_in("separate_dealer_option", max_discards=2)
    assert table.say(line)[:2] == [Faulted(0, Fault.ILLEGAL_DISCARD), Drew(0, 0, (), ())]
    assert table.match.view(0).hand == parse_cards("2H 3H 4C 8D TC")


def test_r3_2_separate_dealer_option_nobody_but_the_dealer_may_take_it() -> None:
    table = turned_up("separate_dealer_option")
    assert of(Faulted, table.say("1 in 9H take")) == [Faulted(1, Fault.ILLEGAL_DISCARD)]
    assert table.view.dead == Card("9S")


@pytest.mark.parametrize("form", ["dealer_fifth", "separate_dead", "separate_returned", "dealer_chooses"])
def test_r3_2_in_the_other_forms_nobody_may_take_it(form: str) -> None:
    table = turned_up(form, declare_mode="separate")
    if form == "dealer_chooses":
        table.say("0 trump S")
    table.say("1 in", "2 in", "0 in", "1 draw", "2 draw")
    assert not table.view.may_take_turned
    assert of(Faulted, table.say("0 draw 2H take")) == [Faulted(0, Fault.ILLEGAL_DISCARD)]


def test_r3_2_separate_returned_the_card_is_shuffled_into_the_stock_before_anyone_declares() -> None:
    table = turned_up("separate_returned")
    assert table.events[-2:] == [TrumpTurned(Card("9S"), Suit.S), TurnedReturned(Card("9S"))]
    (shuffled,) = table.chance.returns
    assert len(shuffled) == 52 - 15
    assert Card("9S") in shuffled
    assert (table.view.turned, table.view.dead, table.view.trump) == (Card("9S"), None, Suit.S)
    table.say("1 in", "2 in", "0 in")
    assert table.view.position.dead == 0  # live: it may be in a hand


def test_r3_2_separate_returned_the_card_may_be_dealt_again() -> None:
    table = Table(stacked(*HANDS, stock="2S 2D 3D"), seats=3, trump_card="separate_returned")
    assert of(Drew, table.say("1 in 9H"))[0].received == parse_cards("2D")  # the rigged shuffle sorts
    assert table.view.turned == Card("2S")
    assert of(Drew, table.say("2 in KH"))[0].received == parse_cards("2S")


@pytest.mark.parametrize("mode", MODES)
def test_r3_2_dealer_chooses_names_the_suit_before_anyone_declares(mode: str) -> None:
    table = turned_up("dealer_chooses", declare_mode=mode)
    assert (table.match.to_act, table.match.decision) == (0, Decision.NAME_TRUMP)
    assert of(TrumpTurned, table.events) == []
    assert isinstance(table.events[-1], HandDealt)
    assert (table.view.named, table.view.turned, table.view.dead) == (None, None, None)
    with pytest.raises(
        InvalidAction, match=r"^the trump suit is not named yet: use `view.named`, which is None until then$"
    ):
        _ = table.view.trump
    assert table.say("0 trump H") == [TrumpNamed(0, Suit.H)]
    assert (table.match.to_act, table.match.decision) == (1, Decision.DECLARE)
    assert all(table.match.view(seat).trump == Suit.H for seat in range(3))
    assert of(Declared, table.events) == []


def test_r3_2_dealer_chooses_a_card_like_no_other_is_dealt() -> None:
    table = turned_up("dealer_chooses")
    table.say("0 trump H")
    assert of(Drew, table.say("1 in 9H"))[0].received == parse_cards("9S")


def test_r3_2_dealer_chooses_only_the_dealer_and_only_a_suit() -> None:
    table = turned_up("dealer_chooses")
    for line, words in [("1 trump H", "seat 1 is not asked"), ("0 in", "seat 0 was asked to name_trump, not in")]:
        with pytest.raises(InvalidAction, match=words):
            table.say(line)
    assert table.view.named is None
