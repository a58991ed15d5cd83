"""Events as sentences, lessons, questions and hints: for everything that a match can bring."""

from __future__ import annotations

import re
from random import Random

import pytest

import dev
from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.testing import view
from bourre_seats.question_queue.question import QueuedQuestion
from bourre_seats.seat.guide import LESSONS, Guide
from bourre_seats.seat.hints import give_hint
from bourre_seats.seat.prompts import ask_words, button_words, hint_lines, warning_words
from bourre_seats.seat.terminal import with_cards
from tests.sdk.random_answers import play_randomly

THIRD_PERSON = re.compile(r"^You (?!(?:pass|miss)\b)\w+s\b")


def test_each_lesson_is_of_a_rule_of_the_document() -> None:
    rules = (dev.ROOT / "docs/rules.md").read_text()
    assert [rule for rule in LESSONS if f"({rule};" not in rules] == []


def test_a_lesson_comes_when_its_rule_first_binds_and_only_then() -> None:
    guide = Guide(teaches=True)
    follow = view("play hand='AS KH 6H' trick=QH trump=S")
    assert {lesson.rule for lesson in guide.look(follow)} == {"R5.2", "R5.3"}
    assert guide.look(follow) == ()
    assert [lesson.rule for lesson in guide.look(view("play hand='AS 6C' trick=QH trump=S"))] == ["R5.4"]
    assert [lesson.rule for lesson in guide.look(view("play hand='7D 6C' trick=QH trump=S"))] == ["R5.5"]
    assert Guide(teaches=True).look(view("play hand='AH KH' trick=QH trump=S")) == ()
    assert Guide(teaches=False).look(follow) == ()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hint_answers_every_decision(preset: str) -> None:
    match = Match(4, 4, HouseRules.preset(preset), SeededChance(derive(master_seed(2), preset)))
    seen: set[Decision] = set()
    for _ in play_randomly(match, Random(preset), mischief=0):
        if not match.over and match.decision not in seen:
            asked = match.view(match.to_act)
            seen.add(asked.decision)
            hint = give_hint(asked, samples=3)
            assert len(hint.estimates) >= 1
            assert all(card in asked.hand for card in hint.legal)
    assert Decision.PLAY in seen


def test_a_number_is_a_card_of_the_hand_or_just_a_word() -> None:
    question = QueuedQuestion(1, "m", view("play hand='AS KH 2C' trick=QH trump=S"))
    held = [str(card) for card in question.view.hand]
    assert with_cards("draw 1 3", question) == f"draw {held[0]} {held[2]}"
    for word in ("0", "4", "\u00b2", "9" * 5000):
        assert with_cards(word, question) == word


TWO, KING = Card("2C"), Card("KH")


def test_every_question_is_asked_in_these_words() -> None:
    five = "hand='AS KH 2C 3C 4C' pot=7"
    for line, words in (
        (f"name_trump {five} preset=nba", "You deal: which suit is trump?"),
        (f"declare {five} trump=S preset=nba", "Do you play this deal for 7 chips, or pass?"),
        (
            f"declare {five} trump=S",
            "Do you play this deal for 7 chips, or pass? If you play, choose the cards that you exchange, at most 5.",
        ),
        (f"draw {five} trump=S preset=bicycle", "Now choose the cards that you exchange, at most 4."),
        (
            "stay hand='AS KH 2C 3C' trump=S preset=indiana second_ante=3",
            "Stay for another 3 chips, or leave the deal?",
        ),
        ("play hand='AS KH 2C' trick=QH trump=S", "Your turn: choose a card."),
        ("play hand='AS KH 2C' trump=S", "You lead: choose a card."),
    ):
        question = QueuedQuestion(1, "m", view(line))
        assert (ask_words(question), warning_words(question)) == (words, "")
    corrected = QueuedQuestion(1, "m", view("play hand='AS KH 2C' trick=QH trump=S correcting='2C R5.2 4'"))
    assert ask_words(corrected) == "Choose another card."
    assert warning_words(corrected).startswith("Your 2C broke R5.2, follow suit if you can. You may correct it once")
    silent = QueuedQuestion(1, "m", view("play hand='AS KH 2C' trick=QH trump=S renege_policy=silent"), TWO)
    assert ask_words(silent) == "Take the two of clubs back and choose another card, or let it stand?"
    assert warning_words(silent) == (
        "Your 2C breaks R5.2, follow suit if you can. Taken back now, it costs you this pot and your next turn to deal."
    )


def test_every_choice_is_a_button_with_these_words() -> None:
    choices: dict[Choice, str] = {
        Declare(True, parse_cards("2C KH")): "Play, exchanging the two of clubs, king of hearts",
        Declare(True): "Play",
        Declare(False): "Pass",
        Draw(parse_cards("2C")): "Exchange the two of clubs",
        Draw(): "Keep every card",
        NameTrump(Suit.H): "Name hearts",
        Stay(True): "Stay",
        Stay(False): "Leave",
        Play(KING): "Play the king of hearts",
    }
    assert {choice: button_words(choice) for choice in choices} == choices


HINTS = {
    "play hand='AS KH 6H 3H' trick=2H trump=S": [
        "Legal: the three of hearts, six of hearts, king of hearts.",
        "Play the six of hearts: +0.5 chips on average.",
        "Play the three of hearts: +0.5 chips on average.",
        "Play the king of hearts: +0.2 chips on average.",
    ],
    "declare hand='AS KS QH 3D 2C' trump=S": [
        "Play, exchanging the two of clubs: +3.4 chips on average.",
        "Play, exchanging the two of clubs, three of diamonds: +3.4 chips on average.",
        "Play, exchanging the two of clubs, three of diamonds, queen of hearts: +3.3 chips on average.",
        "Play: +3.1 chips on average.",
        "Play, exchanging the two of clubs, three of diamonds, queen of hearts, king of spades: +2.7 chips on average.",
        "Pass: +0.0 chips on average.",
    ],
    "declare hand='AS KS QH 3D 2C' trump=S preset=separate_rounds": [
        "Play: +3.3 chips on average.",
        "Pass: +0.0 chips on average.",
    ],
    "draw hand='AS KS QH 3D 2C' trump=S preset=separate_rounds plays='in in pass in' drawn='- 2 - -' dealer=0": [
        "Exchange the two of clubs, three of diamonds, queen of hearts: +3.4 chips on average.",
        "Exchange the two of clubs, three of diamonds: +3.2 chips on average.",
        "Exchange the two of clubs: +2.8 chips on average.",
        "Exchange the two of clubs, three of diamonds, queen of hearts, king of spades: +2.1 chips on average.",
        "Keep every card: +2.0 chips on average.",
    ],
    "name_trump hand='AS KS QH 3D 2C' preset=nba": [
        "Name spades: +3.6 chips on average.",
        "Name hearts: +2.0 chips on average.",
        "Name diamonds: +1.4 chips on average.",
        "Name clubs: +1.1 chips on average.",
    ],
    "stay hand='AS KH 2C 3C' trump=S preset=indiana": [
        "Stay: +0.9 chips on average.",
        "Leave: +0.0 chips on average.",
    ],
}
"""What sixty samples say of each question, the best choice first."""


@pytest.mark.parametrize("line", HINTS)
def test_a_hint_says_the_same_to_everyone(line: str) -> None:
    *told, last = hint_lines(give_hint(view(line), samples=60))
    guess = "" if line.startswith("play") else " Others are guessed to come in with three trumps or a high one."
    assert told == HINTS[line]
    assert last == f"Averages over 60 sampled deals.{guess} Everyone then leads high and wins cheaply."
