"""R3: the deal and the trump."""

from __future__ import annotations

import pytest

from bourre.rules.cards import DECK, Card, Suit, card_set, parse_cards
from bourre.rules.events import Declared, HandDealt, TrickTaken, TrumpTurned
from tests.sdk.rules.table import Table, of, stacked

HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D")


def test_r3_1_five_cards_each_one_at_a_time_from_the_dealers_left() -> None:
    table = Table(list(DECK), seats=3, dealer=1)
    dealt = of(HandDealt, table.events)
    assert [event.seat for event in dealt] == [2, 0, 1]
    assert dealt[0].cards == (DECK[0], DECK[3], DECK[6], DECK[9], DECK[12])
    assert dealt[2].cards == (DECK[2], DECK[5], DECK[8], DECK[11], DECK[14])


def test_r3_1_with_four_cards_there_are_four_tricks() -> None:
    table = Table(list(DECK), seats=3, dealer=1, cards=4)
    assert of(HandDealt, table.events)[0].cards == (DECK[0], DECK[3], DECK[6], DECK[9])
    assert of(TrumpTurned, table.events)[0].card == DECK[11]
    assert table.hands[1] >> DECK[11] & 1
    assert len(of(TrickTaken, table.finish())) == 4


@pytest.mark.parametrize("seats", range(2, 9))
def test_r3_1_the_dealers_last_card_is_turned_up_and_names_the_trump(seats: int) -> None:
    table = Table(list(DECK), seats=seats)
    turned = DECK[5 * seats - 1]
    assert of(TrumpTurned, table.events) == [TrumpTurned(turned, turned.suit)]
    assert table.hands[0] >> turned & 1
    assert all(table.match.view(seat).turned == turned for seat in range(seats))


def test_r3_1_the_turned_card_may_be_played() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in", "2 pass", "0 in")
    table.play("9H 3H 5D 8D TC 6C 4S")  # seat 0 follows, follows, wins, leads the turned card
    assert table.match.deal.tricks is not None
    assert table.match.deal.tricks.completed[-1].cards == parse_cards("TC 6C")
    assert table.view.trick == (Card("4S"),)


def test_r3_1_the_turned_card_may_be_discarded_and_the_suit_stays_trump() -> None:
    table = Table(stacked(*HANDS, stock="AH"), seats=3)
    table.say("1 in", "2 in", "0 in 4S")
    assert table.hands[0] == card_set(parse_cards("2H 3H 8D TC AH"))
    assert table.match.deal.entry.trump == Suit.S
    assert table.view.trump == Suit.S
    assert table.view.turned == Card("4S")


def test_r3_2_nobody_declares_before_the_turn_up() -> None:
    table = Table(stacked(*HANDS), seats=3)
    assert of(Declared, table.events) == []
    assert table.events[-1] == TrumpTurned(Card("4S"), Suit.S)
