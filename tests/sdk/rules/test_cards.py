"""Cards, suits, and sets of cards: texts, order, errors in words."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.cards import (
    DECK,
    HIGHER,
    SUIT_CARDS,
    Card,
    Suit,
    card_set,
    cards_in,
    highest,
    lowest,
    parse_cards,
    show,
)
from bourre.rules.errors import BourreError, InvalidCard
from tests.strategies import cards, hands


def test_the_deck_is_52_cards_by_rank_and_then_clubs_diamonds_hearts_spades() -> None:
    assert show(DECK[:9]) == "2C 2D 2H 2S 3C 3D 3H 3S 4C"
    assert show(DECK[-8:]) == "KC KD KH KS AC AD AH AS"
    assert len(set(DECK)) == 52
    assert sorted(Random(1).sample(DECK, 52)) == list(DECK)


@given(cards())
def test_every_text_is_a_card_again(card: Card) -> None:
    assert Card(str(card)) is card
    assert eval(repr(card)) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card
    assert f"{card}" == f"{card!s}" == str(card)
    assert f"{card:>4}" == "  " + str(card)


def test_rank_and_suit() -> None:
    assert [(Card(text).rank, Card(text).suit) for text in ("2C", "TD", "JH", "AS")] == [
        (2, Suit.C),
        (10, Suit.D),
        (11, Suit.H),
        (14, Suit.S),
    ]
    assert repr(Card("TH")) == "Card('TH')"


@pytest.mark.parametrize("text", ["", "A", "1S", "as", "ASS", "10H", "SA", " AS", "A♠"])
def test_what_is_no_card_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidCard) as error:
        Card(text)
    assert str(error.value) == f"{text!r} is not a card: write rank then suit, as in AS, TH, 2C"


@pytest.mark.parametrize("value", [5, 8, None, ["AS"], b"AS"])
def test_only_a_text_is_a_card(value: object) -> None:
    with pytest.raises(InvalidCard, match="is not a card: write rank then suit"):
        Card(value)  # type: ignore[arg-type]


def test_the_error_is_a_value_error_and_an_error_of_ours() -> None:
    assert issubclass(InvalidCard, BourreError)
    assert issubclass(InvalidCard, ValueError)


@pytest.mark.parametrize("suit", Suit)
def test_every_letter_is_a_suit_again(suit: Suit) -> None:
    assert Suit.parse(str(suit)) is suit
    assert eval(repr(suit)) is suit
    assert f"{suit} {suit:>2}" == f"{suit.name}  {suit.name}"


@pytest.mark.parametrize("text", ["", "s", "SS", "♠"])
def test_what_is_no_suit_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidCard, match=f"^'{text}' is not a suit: write one of C D H S$"):
        Suit.parse(text)


@given(hands())
def test_a_text_of_cards_keeps_their_order(hand: tuple[Card, ...]) -> None:
    assert parse_cards(show(hand)) == hand


def test_a_text_of_no_cards() -> None:
    assert parse_cards("") == ()
    assert show(()) == ""


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(InvalidCard, match=r"^'AS KH AS' names a card twice$"):
        parse_cards("AS KH AS")


@given(st.sets(cards()))
def test_sets_hold_what_was_put_in_lowest_first(chosen: set[Card]) -> None:
    held = card_set(chosen)
    assert cards_in(held) == tuple(sorted(chosen))
    assert held.bit_count() == len(chosen)
    if chosen:
        assert (lowest(held), highest(held)) == (min(chosen), max(chosen))


def test_suits_and_higher_cards_as_sets() -> None:
    assert show(cards_in(SUIT_CARDS[Suit.H])) == "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    assert show(cards_in(HIGHER[Card("TD")])) == "JD QD KD AD"
    assert HIGHER[Card("AC")] == 0
