"""Fourteen kinds of trouble, and seven forms of answers, at a server on this machine, and the verdict on each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bourre.messages import Answer
from bourre.rules.actions import Fault, Missing, Play
from bourre.rules.cards import Card
from bourre.testing import view
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.questions import DECLARE, DRAW, NAME_TRUMP, PLAY, STAY, TAKE_TURNED, ModelQuestion
from bourre_seats.models.stand_in_player import StandInPlayer, StandInTrouble, question_in, spoil
from bourre_seats.models.stand_in_server import StandInOptions
from bourre_seats.models.stand_in_style import StandInStyle
from tests.sdk.models.asking import FREE_PLAY, Clock, answer_of, stand_in

KEY = "sk-planted-0123456789abcdef"
RIGHT = Play(Card("4C"))


def answer_with(trouble: StandInTrouble | None, every: int, style: StandInStyle = StandInStyle.BARE) -> Answer:
    """The answer of a bot whose server makes this trouble."""
    slow = trouble is StandInTrouble.SLOW
    with stand_in("lowest", StandInOptions(trouble, every, style=style)) as server:
        settings = ModelSettings("m", server.base_url, key=KEY, call_seconds=0.5 if slow else 30.0)
        return answer_of(model_bot(settings, timer=Clock().timer), FREE_PLAY)


ALWAYS = {
    StandInTrouble.SLOW: "Unavailable: no answer in time: no answer within 0.5 s",
    StandInTrouble.TOO_MANY: "Unavailable: no answer in time: the server answered 429",
    StandInTrouble.SERVER_ERROR: "Unavailable: no answer in time: the server answered 500",
    StandInTrouble.CUT_OFF: "Unavailable: no answer in time: the connection broke, or the server is not there",
    StandInTrouble.GARBAGE: "Unparsable: no card in '}{ lorem ipsum ",
    StandInTrouble.EMPTY: "Unparsable: the answer is empty",
    StandInTrouble.TWO_CARDS: "Unparsable: more than one card in 'I could play ",
    StandInTrouble.TWO_ANSWERS: 'Unparsable: more than one card in \'{"why": "Lowest ',
    StandInTrouble.ENDLESS_THOUGHT: "Unparsable: a thought does not end, so no answer follows it",
    StandInTrouble.LANGUAGE: "Unparsable: no card in 'Nach reiflicher",
    StandInTrouble.HUGE: "Unparsable: the answer has 2000",
    StandInTrouble.REFUSED: "Refused: the model refused",
}
"""The beginning of the fault's text if every answer is spoiled so."""


@pytest.mark.parametrize("style", StandInStyle)
def test_without_trouble_the_answer_is_the_example_bots_in_every_form(style: StandInStyle) -> None:
    answer = answer_with(None, 1, style)
    assert (answer.action, answer.note) == (RIGHT, "Lowest would.")


@pytest.mark.parametrize("style", [StandInStyle.REASONING, StandInStyle.PARTS])
def test_a_thought_alone_is_no_answer(style: StandInStyle) -> None:
    assert answer_with(StandInTrouble.EMPTY, 1, style).error == "Unparsable: the server sent a thought, and no answer"


@pytest.mark.parametrize("trouble", ALWAYS)
def test_lasting_trouble_is_a_fault_that_says_what_it_was(trouble: StandInTrouble) -> None:
    answer = answer_with(trouble, every=1)
    assert answer.action == Missing(Fault.ERROR)
    assert answer.error.startswith(ALWAYS[trouble])


@pytest.mark.parametrize("trouble", [StandInTrouble.PROSE])
def test_words_around_a_card_are_no_trouble(trouble: StandInTrouble) -> None:
    assert answer_with(trouble, every=1).action == RIGHT


def test_a_wrong_card_is_an_answer() -> None:
    answer = answer_with(StandInTrouble.WRONG_CARD, every=1)
    assert isinstance(answer.action, Play)
    assert answer.action.card in FREE_PLAY.hand
    assert answer.action.card not in FREE_PLAY.legal


def test_these_are_all_kinds() -> None:
    assert {*ALWAYS, StandInTrouble.PROSE, StandInTrouble.WRONG_CARD} == set(StandInTrouble)
    assert len(StandInTrouble) == 14


def test_one_of_so_many_answers_is_spoiled_or_the_next_that_can_be() -> None:
    card: dict[str, object] = {"card": "4C"}
    pass_on: dict[str, object] = {"play": False}
    spoiled = StandInTrouble.WRONG_CARD
    with stand_in("lowest", StandInOptions(spoiled, every=3)) as server:
        answers = (card, card, pass_on, card, card, card, pass_on, card)
        troubles = [server.next_trouble(answer, FREE_PLAY) for answer in answers]
    assert troubles == [None, None, None, spoiled, None, spoiled, None, None]
    assert server.answers == 8


def test_every_decision_of_the_example_is_an_answer_also_in_prose() -> None:
    five = "hand='AS KH 2C 3C 4C'"
    player = StandInPlayer("tight")
    asked: tuple[tuple[str, ModelQuestion[Any]], ...] = (
        (f"declare {five} trump=S", DECLARE),
        (f"draw {five} trump=S preset=separate_rounds", DRAW),
        (f"name_trump {five} preset=nba", NAME_TRUMP),
        ("stay hand='AS KH 2C 3C' trump=S preset=indiana", STAY),
        ("play hand='AS KH 9C' trump=S trick=3C", PLAY),
        (f"draw {five} trump=S preset=separate_dealer_option dealer=0", TAKE_TURNED),
    )
    for line, question in asked:
        seen = view(line)
        body = {"response_format": {"json_schema": {"name": question.name}}}
        answer = player.answer(question_in(body, seen), seen)
        assert answer.pop("why") == "Tight would."
        decided = question.read(json.dumps(answer))
        assert question.read(spoil(StandInTrouble.PROSE, {"why": "", **answer}, seen).text) == decided
        assert decided is False or question is not TAKE_TURNED
    assert question_in({}, view("play hand='AS KH 9C' trump=S trick=3C")) == "play"
