"""What counts as an answer: JSON, words around one decision; never a guess between two."""

from __future__ import annotations

import pytest

from bourre.rules.cards import Card, Suit, parse_cards
from bourre_seats.models.answer import MOST_CHARACTERS, read_reason
from bourre_seats.models.chat import Unparsable
from bourre_seats.models.questions import DECLARE, DRAW, NAME_TRUMP, PLAY, STAY, ModelQuestion


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ('{"why": "it wins", "card": "AS"}', "AS"),
        ('{"card": "as"}', "AS"),
        ('{"card": "10h"}', "TH"),
        ('{"card": "K♦"}', "KD"),
        ('{"card": "Queen of Spades"}', "QS"),
        ('```json\n{"card": "2C"}\n```', "2C"),
        ('Some {thought} first: {"why": "{}", "card": "2C"} and that is it', "2C"),
        ('{"card": "2C"} {"card": "2C"}', "2C"),
        ("I play the AS.", "AS"),
        ("As I must follow, the ten of hearts it is", "TH"),
        ("Je joue la carte 10♥, la meilleure.", "TH"),
        ("**AS**", "AS"),
    ],
)
def test_one_card_is_found(text: str, card: str) -> None:
    assert PLAY.read(text) == Card(card)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "I cannot help with that.",
        "Either AS or KH.",
        '{"card": "AS"} or {"card": "KH"}',
        '{"card": "the best one"}',
        '{"card": null}',
        '{"card": ["AS", "KH"]}',
        '{"move": 3}',
        '{"card": "AS"',
        "Ich lege die Kreuz-Neun.",
        "A spade, as I said",
        '{"a":' * 5000,
        '{"card": "AS"}' + "!" * MOST_CHARACTERS,
    ],
)
def test_anything_else_is_no_card(text: str) -> None:
    if text == '{"card": "AS"':  # cut off, but with one card in it: words count
        assert PLAY.read(text) == Card("AS")
        return
    with pytest.raises(Unparsable):
        PLAY.read(text)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (DECLARE, '{"why": "strong", "play": true}', True),
        (DECLARE, '{"play": "pass"}', False),
        (DECLARE, "I pass.", False),
        (STAY, '{"stay": false}', False),
        (STAY, "Yes.", True),
        (NAME_TRUMP, '{"suit": "S"}', Suit.S),
        (NAME_TRUMP, '{"suit": "hearts"}', Suit.H),
        (NAME_TRUMP, "Let it be diamonds", Suit.D),
        (DRAW, '{"discard": []}', ()),
        (DRAW, '{"discard": ["2C", "3d"]}', parse_cards("2C 3D")),
        (DRAW, '{"discard": "2C, 3D"}', parse_cards("2C 3D")),
        (DRAW, "I stand pat", ()),
        (DRAW, "Discard 2C and the three of diamonds", parse_cards("2C 3D")),
    ],
)
def test_other_decisions(question: ModelQuestion[object], text: str, answer: object) -> None:
    assert question.read(text) == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (DECLARE, "I play, or rather pass"),
        (DECLARE, '{"play": 1}'),
        (NAME_TRUMP, "hearts or spades"),
        (DRAW, "I keep AS and discard 2C"),
        (DRAW, "hm"),
    ],
)
def test_what_could_mean_two_things_is_no_answer(question: ModelQuestion[object], text: str) -> None:
    with pytest.raises(Unparsable):
        question.read(text)


def test_the_reason_is_that_of_the_json_or_the_whole_text() -> None:
    assert read_reason('{"why": "it wins", "card": "AS"}') == "it wins"
    assert read_reason(" the AS wins ") == "the AS wins"
