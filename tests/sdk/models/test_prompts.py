"""A prompt says everything that its seat may know, for every preset and size, and the legal cards only if asked."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bourre.bot import Bot
from bourre.practice import practice
from bourre.rules.actions import Decision
from bourre.rules.cards import Card
from bourre.rules.house import PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.view import View
from bourre.testing import view
from bourre_seats.models.chat import Message
from bourre_seats.models.prompt import Prompt, rules_text
from bourre_seats.models.questions import DECLARE, DRAW, ENTER, NAME_TRUMP, PLAY, STAY, ModelQuestion
from bourre_seats.models.stand_in_player import view_in
from bourre_seats.models.templates import Templates

QUESTION_OF: dict[Decision, ModelQuestion[Any]] = {
    Decision.DECLARE: DECLARE,
    Decision.DRAW: DRAW,
    Decision.NAME_TRUMP: NAME_TRUMP,
    Decision.STAY: STAY,
    Decision.PLAY: PLAY,
}
WITH, WITHOUT = (Prompt(Templates(None), legal=legal) for legal in (True, False))


def views(house: HouseRules, seats: int) -> list[View]:
    """Every view of a few deals of a table whose bots play any card, legal or not."""
    seen: list[View] = []

    class Wild(Bot):
        def declare(self, view: View) -> bool:
            seen.append(view)
            return (view.deal + view.seat) % 4 > 0

        def draw(self, view: View) -> list[Card]:
            seen.append(view)
            return list(view.hand[: Random(view.seed).randint(0, view.max_discards)])

        def stay(self, view: View) -> bool:
            seen.append(view)
            return True

        def play(self, view: View) -> Card:
            seen.append(view)
            return view.rng.choice(view.hand)

    practice([Wild] * seats, deals=4, seed=3, house=house, strict=False)
    return seen


def sizes(preset: str) -> list[int]:
    return [2, 5, PRESET_SEATS.get(preset, 8)]


CASES = [(preset, seats) for preset in PRESETS for seats in sizes(preset)]


def user_text(prompt: Prompt, seen: View) -> str:
    return prompt.messages(QUESTION_OF[seen.decision], seen)[1].text


@pytest.mark.parametrize(("preset", "seats"), CASES)
def test_a_prompt_describes_its_whole_view(preset: str, seats: int) -> None:
    seen = views(HouseRules.preset(preset), seats)
    assert {view.decision for view in seen} >= {Decision.DECLARE, Decision.PLAY}
    for asked in seen:
        text = user_text(WITHOUT, asked)
        named = text.split("In notation:")[0]
        for cards in (asked.hand, asked.trick, *(trick.cards for trick in asked.tricks), asked.discarded):
            assert all(str(card) in named for card in cards)
        assert f"Trump: {asked.named}" in named or asked.named is None
        assert f"The pot holds {asked.pot} chips" in named
        assert len(re.findall(r"^- seat \d", named, re.MULTILINE)) == seats
        assert view_in([{"role": "user", "content": text}]) == replace(asked, seed=0)


@pytest.mark.parametrize(("preset", "seats"), CASES)
def test_only_the_list_tells_which_cards_are_legal(preset: str, seats: int) -> None:
    plays = [view for view in views(HouseRules.preset(preset), seats) if view.decision is Decision.PLAY]
    for asked in plays:
        line = f"The cards you may play: {' '.join(map(str, asked.legal))}"
        assert line in user_text(WITH, asked)
        one_card = replace(asked, legal=asked.legal[:1])
        assert user_text(WITHOUT, one_card) == user_text(WITHOUT, asked)


def test_the_rules_are_those_of_the_house() -> None:
    base, four = rules_text(HouseRules()), rules_text(HouseRules.preset("booray"))
    assert "- Following suit, beat the best card so far if you can. (R5.3)" in base
    assert "- Following suit, play any card of it. (R5.3)" in four
    assert "sure of three tricks" in base
    assert "$" not in base


def test_the_first_message_is_the_same_all_match_long() -> None:
    """So a server may keep what it made of it."""
    seen = views(HouseRules.preset("limit"), 5)
    firsts: set[Message] = {WITH.messages(QUESTION_OF[view.decision], view)[0] for view in seen}
    assert len(firsts) == 1


def test_each_house_and_each_size_of_a_table_has_its_own_rules() -> None:
    prompt = Prompt(Templates(None), legal=True)
    tables = ("seats=3", "seats=5", "seats=3 preset=separate_rounds", "seats=3")
    seen = [view(f"declare hand='AS KH 2C 3C 4C' trump=S {table}") for table in tables]
    first, larger, other, again = (prompt.messages(DECLARE, each)[0].text for each in seen)
    assert first == again == larger.replace("at a table of 5 seats", "at a table of 3 seats")
    assert len({first, larger, other}) == 3


def test_a_form_asks_for_a_reason_first_and_then_for_the_decision() -> None:
    forms = {question.name: question.form.schema for question in (DECLARE, DRAW, NAME_TRUMP, STAY, PLAY, ENTER)}
    keys = {name: [*properties] for name, form in forms.items() if isinstance(properties := form["properties"], dict)}
    assert keys == {
        "declare": ["why", "play"],
        "draw": ["why", "discard"],
        "name_trump": ["why", "suit"],
        "stay": ["why", "stay"],
        "play": ["why", "card"],
        "enter": ["why", "play", "discard"],
    }
    assert all(form["required"] == keys[name] for name, form in forms.items())
