"""Events as sentences, lessons and hints: for everything that a match can bring."""

from __future__ import annotations

import re
from random import Random

import pytest

import dev
from bourre.desk.question import Question
from bourre.rules.actions import Decision
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.events import HandDealt
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from bourre.seat.guide import LESSONS, Guide
from bourre.seat.hints import give_hint
from bourre.seat.picture import Picture, after
from bourre.seat.prompts import hint_lines
from bourre.seat.sentences import Speaker
from bourre.seat.terminal import with_cards
from bourre.testing import view
from tests.sdk.random_answers import play_randomly

THIRD_PERSON = re.compile(r"^You (?!(?:pass|miss)\b)\w+s\b")


@pytest.mark.parametrize("policy", ["prompt", "silent", "retract", "strict"])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_event_is_a_sentence_that_calls_the_person_you(preset: str, policy: str) -> None:
    speaker, picture = Speaker(["ada", "monte_carlo", "tight"]), Picture(you=0)
    house = HouseRules.preset(preset, renege_policy=policy, fault_fine=1)
    match = Match(3, 15, house, SeededChance(derive(master_seed(1), preset)))
    for _, _, events in play_randomly(match, Random(preset), mischief=0.15):
        for event in visible_to(0, events):
            picture = after(picture, event)
            text = speaker.tell(event, picture)
            if isinstance(event, HandDealt) and event.seat:
                assert text == ""
                continue
            assert re.fullmatch(r"[A-Z].*\.", text), event
            assert not THIRD_PERSON.search(text)
            assert "ada" not in text.lower().split()
            assert "monte_carlo" not in text


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


def test_a_hint_lists_the_best_choice_first_and_is_the_same_when_asked_again() -> None:
    strong = view("declare hand='AS KS QS 3D 2C' trump=S")
    hint = give_hint(strong, samples=40)
    chips = [estimate.chips for estimate in hint.estimates]
    assert chips == sorted(chips, reverse=True)
    assert str(hint.estimates[0].choice).startswith("in")
    assert str(hint.estimates[-1].choice) == "pass"
    assert hint == give_hint(strong, samples=40)


def test_a_hint_for_a_card_begins_with_the_legal_ones() -> None:
    asked = view("play hand='AH KH 6S 3D 2C' trick=QH trump=S")
    lines = list(hint_lines(give_hint(asked, samples=5)))
    assert lines[0] == "Legal: king of hearts, ace of hearts."
    assert len(lines) == 4


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
    question = Question(1, "m", view("play hand='AS KH 2C' trick=QH trump=S"))
    held = [str(card) for card in question.view.hand]
    assert with_cards("draw 1 3", question) == f"draw {held[0]} {held[2]}"
    for word in ("0", "4", "\u00b2", "9" * 5000):
        assert with_cards(word, question) == word
