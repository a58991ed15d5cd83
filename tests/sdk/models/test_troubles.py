"""Twelve kinds of trouble at a server on this machine, and the verdict on each."""

from __future__ import annotations

import pytest

from bourre.messages import Answer
from bourre.models import ModelSettings, model_bot
from bourre.models.stand_in_server import StandInOptions
from bourre.models.stand_in_troubles import Trouble
from bourre.rules.actions import Fault, Missing, Play
from bourre.rules.cards import Card
from tests.sdk.models.asking import FREE_PLAY, Clock, answer_of, stand_in

KEY = "sk-planted-0123456789abcdef"
RIGHT = Play(Card("4C"))


def answer_with(trouble: Trouble | None, every: int) -> Answer:
    """The answer of a bot whose server makes this trouble."""
    slow = trouble is Trouble.SLOW
    with stand_in("lowest", StandInOptions(trouble, every)) as server:
        settings = ModelSettings("m", server.base_url, key=KEY, call_seconds=0.5 if slow else 30.0)
        return answer_of(model_bot(settings, timer=Clock().timer), FREE_PLAY)


ALWAYS = {
    Trouble.SLOW: "Unavailable: no answer in time: no answer within 0.5 s",
    Trouble.TOO_MANY: "Unavailable: no answer in time: the server answered 429",
    Trouble.SERVER_ERROR: "Unavailable: no answer in time: the server answered 500",
    Trouble.CUT_OFF: "Unavailable: no answer in time: the connection broke, or the server is not there",
    Trouble.GARBAGE: "Unparsable: no card in '}{ lorem ipsum ",
    Trouble.EMPTY: "Unparsable: the answer is empty",
    Trouble.TWO_CARDS: "Unparsable: more than one card in 'I could play ",
    Trouble.LANGUAGE: "Unparsable: no card in 'Nach reiflicher",
    Trouble.HUGE: "Unparsable: the answer has 2000",
    Trouble.REFUSED: "Unparsable: the model refused",
}
"""The beginning of the fault's text if every answer is spoiled so."""


def test_without_trouble_the_answer_is_the_example_bots() -> None:
    assert answer_with(None, 1).action == RIGHT


@pytest.mark.parametrize("trouble", ALWAYS)
def test_lasting_trouble_is_a_fault_that_says_what_it_was(trouble: Trouble) -> None:
    answer = answer_with(trouble, every=1)
    assert answer.action == Missing(Fault.ERROR)
    assert answer.error.startswith(ALWAYS[trouble])


@pytest.mark.parametrize("trouble", [Trouble.PROSE])
def test_words_around_a_card_are_no_trouble(trouble: Trouble) -> None:
    assert answer_with(trouble, every=1).action == RIGHT


def test_a_wrong_card_is_an_answer() -> None:
    answer = answer_with(Trouble.WRONG_CARD, every=1)
    assert isinstance(answer.action, Play)
    assert answer.action.card in FREE_PLAY.hand
    assert answer.action.card not in FREE_PLAY.legal


def test_these_are_all_kinds() -> None:
    assert {*ALWAYS, Trouble.PROSE, Trouble.WRONG_CARD} == set(Trouble)
    assert len(Trouble) == 12
