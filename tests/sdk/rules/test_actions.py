"""Actions: their texts, and texts that are not actions."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from bourre.rules.actions import (
    Action,
    Decision,
    Declare,
    Draw,
    Fault,
    HandOver,
    Missing,
    NameTrump,
    Play,
    Recall,
    Stay,
    Unasked,
    parse_action,
)
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.errors import InvalidAction, InvalidCard
from tests.strategies import actions


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Declare(False)),
        ("in", Declare(True)),
        ("in 2C KD", Declare(True, parse_cards("2C KD"))),
        ("draw", Draw()),
        ("in take", Declare(True, takes=True)),
        ("draw 9H", Draw(parse_cards("9H"))),
        ("draw 9H 2C take", Draw(parse_cards("9H 2C"), takes=True)),
        ("trump H", NameTrump(Suit.H)),
        ("stay", Stay(True)),
        ("leave", Stay(False)),
        ("recall KH", Recall(Card("KH"))),
        ("QS", Play(Card("QS"))),
        ("?late", Missing(Fault.LATE)),
        ("!premature", Unasked(Fault.PREMATURE)),
        ("house", HandOver()),
    ],
)
def test_texts(text: str, action: Action) -> None:
    assert parse_action(text) == action
    assert str(action) == text


@given(actions())
def test_every_text_and_repr_is_the_action_again(action: Action) -> None:
    assert parse_action(str(action)) == action
    assert eval(repr(action)) == action
    assert pickle.loads(pickle.dumps(action)) == action


@pytest.mark.parametrize(
    "text", ["pass 2C", "house now", "AS KS", "?late again", "!premature 2C", "play AS", "stay 2C", "leave AS"]
)
def test_only_some_have_more_after_them(text: str) -> None:
    with pytest.raises(
        InvalidAction, match=r"is not an action: only `in`, `draw`, `trump` and `recall` take more words$"
    ):
        parse_action(text)


@pytest.mark.parametrize("text", ["", "PASS", "?", "?tired", "!", "in XX", "draw 2c", "recall", "recall XX"])
def test_what_is_no_action_is_no_card_either(text: str) -> None:
    with pytest.raises(InvalidCard, match="is not a card: use rank then suit"):
        parse_action(text)


@pytest.mark.parametrize("text", ["trump", "trump AS", "trump h"])
def test_what_is_no_suit_is_none(text: str) -> None:
    with pytest.raises(InvalidCard, match="is not a suit: use one of C D H S"):
        parse_action(text)


@pytest.mark.parametrize("word", [*Decision, *Fault])
def test_words_read_plainly_and_their_repr_constructs(word: Decision | Fault) -> None:
    assert f"{word}" == word.value == word.name.lower()
    assert eval(repr(word)) is word
