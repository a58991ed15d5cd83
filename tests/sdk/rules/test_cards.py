"""Cards, suits, and sets of cards: texts, order, errors in words; none is ever compared with a text."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.card import Ordinal
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
    assert str(error.value) == f"{text!r} is not a card: use rank then suit, as in AS, TH, 2C"


@pytest.mark.parametrize("value", [5, 8, None, ["AS"], b"AS"])
def test_only_a_text_is_a_card(value: object) -> None:
    with pytest.raises(InvalidCard, match="is not a card: use rank then suit"):
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
    with pytest.raises(InvalidCard, match=f"^'{text}' is not a suit: use one of C D H S$"):
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


QS = Card("QS")
COMPARED = [
    (QS, "QS", r"a card is never equal to a string: compare it with Card\('QS'\), not 'QS'"),
    (QS, "qs", r"compare it with Card\('QS'\), not 'qs'"),
    (QS, "queen", r'compare it with a card, such as Card\("QS"\), not \'queen\''),
    (QS.suit, "S", r"a suit is never equal to a string: compare it with Suit\.S, not 'S'"),
    (QS.suit, "hearts", r"compare it with Suit\.H, not 'hearts'"),
    (QS.suit, "", r"compare it with a Suit, such as Suit\.S, not ''"),
    (QS.rank, "Q", r"a rank is never equal to a string: compare it with the number 12, not 'Q'"),
    (QS.rank, "10", r"compare it with the number 10, not '10'"),
    (QS.rank, "?", r"compare it with a number: 11 is the jack, 12 the queen, 13 the king, 14 the ace, not '\?'"),
]


@pytest.mark.parametrize("compare", [operator.eq, operator.ne], ids=["eq", "ne"])
@pytest.mark.parametrize(("ordinal", "text", "says"), COMPARED)
def test_a_comparison_with_a_text_is_refused(
    ordinal: Ordinal, text: str, says: str, compare: Callable[[object, object], object]
) -> None:
    for pair in ((ordinal, text), (text, ordinal)):
        with pytest.raises(TypeError, match=says):
            compare(*pair)


def test_so_is_looking_for_one_among_the_others() -> None:
    cards: list[object] = [QS]
    letters: tuple[object, ...] = ("S", "H")
    looks: list[Callable[[], object]] = [lambda: "QS" in cards, lambda: cards.index("QS"), lambda: QS.suit in letters]
    for look in looks:
        with pytest.raises(TypeError, match="never equal to a string"):
            look()


@given(st.sampled_from(DECK), st.sampled_from(DECK), st.integers(-1, 60))
def test_otherwise_they_compare_as_their_numbers_do(one: Card, other: Card, number: int) -> None:
    for left, right in ((one, other), (one.suit, other.suit), (one.rank, other.rank), (one, number)):
        for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
            assert compare(left, right) is compare(int(left), int(right))
            assert compare(right, left) is compare(int(right), int(left))
        assert hash(left) == hash(int(left))


def test_nothing_else_is_equal_to_them() -> None:
    for other in (None, b"QS", (), 12.5, object()):
        assert not any(ordinal == other for ordinal in (QS, QS.suit, QS.rank))
        assert all(ordinal != other for ordinal in (QS, QS.suit, QS.rank))
    assert QS.rank == 12.0


@pytest.mark.parametrize("name", ["rank", "suit", "mark"])
def test_a_card_never_changes(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"Card\('QS'\) never changes: {name} cannot be set"):
        setattr(QS, name, 3)


@pytest.mark.parametrize("ordinal", [QS, QS.suit, QS.rank])
def test_they_travel(ordinal: Ordinal) -> None:
    for copied in (copy.deepcopy(ordinal), pickle.loads(pickle.dumps(ordinal))):
        assert (type(copied), copied) == (type(ordinal), ordinal)
