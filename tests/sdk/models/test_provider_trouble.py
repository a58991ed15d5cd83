"""A provider's trouble has its own kind, and is told with its fix: a wrong key, no schema, a long prompt, a pause."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bourre.messages import Answer, reported_fault
from bourre.rules.actions import Fault, Play
from bourre.rules.cards import Card
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.chat import TooLong, TryAgain, Unavailable
from bourre_seats.models.openai_chat import OpenAIChat
from bourre_seats.models.trial import try_server
from tests.sdk.models.asking import FREE_PLAY, Clock, Handler, Script, answer_of, replying, scripted, stand_in

KEY = "sk-planted-0123456789abcdef"
SAID = json.dumps({"choices": [{"message": {"content": "4C"}}]})
TOO_LONG = "This model's maximum context length is 4096 tokens."


class Refusing:
    """A server that refuses requests with these statuses, and answers when they are used up."""

    def __init__(self, *statuses: int, text: str = "no", schema_only: bool = False) -> None:
        self.statuses = list(statuses)
        self.text = text
        self.schema_only = schema_only
        self.asked: list[dict[str, Any]] = []

    def __call__(self, to: Handler) -> None:
        self.asked.append(json.loads(to.asked))
        refuses = self.statuses and (not self.schema_only or "response_format" in self.asked[-1])
        to.begin(self.statuses.pop(0) if refuses else 200, Content_Type="application/json")
        to.wfile.write((json.dumps({"error": {"message": f"{self.text} {KEY}"}}) if refuses else SAID).encode())

    @property
    def structured(self) -> list[bool]:
        return ["response_format" in asked for asked in self.asked]


def answered(refusing: Refusing) -> Answer:
    with replying(lambda to: refusing(to)) as address:
        return answer_of(model_bot(ModelSettings("m", address, key=KEY), timer=Clock().timer), FREE_PLAY)


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ("Unavailable: no answer in time", Fault.PROVIDER),
        ("Refused: the model refused", Fault.REFUSED),
        ("Unparsable: no card", Fault.UNDECODABLE),
        ("KeyError: 'Unavailable'", Fault.ERROR),
        ("", Fault.ERROR),
    ],
)
def test_an_error_tells_its_kind(error: str, fault: Fault) -> None:
    assert reported_fault(error) == fault


@pytest.mark.parametrize("status", [400, 422, 501])
def test_a_refused_schema_is_told_with_the_option(status: int, capfd: pytest.CaptureFixture[str]) -> None:
    refusing = Refusing(status, schema_only=True)
    answer = answered(refusing)
    assert answer.action == Play(Card("4C"))
    assert refusing.structured == [True, False]
    told = capfd.readouterr().err
    assert f"answered {status} to a request with a JSON schema" in told
    assert "hint: pass --no-structured" in told
    assert KEY not in told


def test_a_schema_stays_on_if_it_was_not_the_reason(capfd: pytest.CaptureFixture[str]) -> None:
    refusing = Refusing(400, 400)
    with replying(lambda to: refusing(to)) as address:
        bot = model_bot(ModelSettings("m", address, key=KEY), timer=Clock().timer)
        assert answer_of(bot, FREE_PLAY).error.startswith("Unavailable: the server answered 400")
        assert answer_of(bot, FREE_PLAY).action == Play(Card("4C"))
    assert refusing.structured == [True, False, True]
    assert "--no-structured" not in capfd.readouterr().err


@pytest.mark.parametrize("status", [400, 413])
def test_too_long_a_prompt_is_asked_again_without_earlier_deals(status: int) -> None:
    refusing = Refusing(status, text=TOO_LONG)
    answer = answered(refusing)
    assert answer.action == Play(Card("4C"))
    assert refusing.structured == [True, True]
    assert "asks without earlier deals" in answer.note


def test_what_is_too_long_without_earlier_deals_is_the_providers_fault() -> None:
    answer = answer_of(scripted(Script([TooLong("the prompt is too long")])), FREE_PLAY)
    assert reported_fault(answer.error) == Fault.PROVIDER


def test_a_pause_that_the_server_asks_for_is_noted() -> None:
    script = Script([TryAgain("the server answered 429", after_s=7.0), "4C"])
    answer = answer_of(scripted(script), FREE_PLAY)
    assert "the server answered 429, and asks to wait 7 s" in answer.note
    assert script.clock.waits == [7.0]


def tried(address: str) -> None:
    asyncio.run(try_server(OpenAIChat(ModelSettings("m", address, key=KEY)), 30.0))


def test_the_trial_finds_a_wrong_key_before_the_first_card() -> None:
    refusing = Refusing(401)
    with replying(lambda to: refusing(to)) as address, pytest.raises(Unavailable) as refused:
        tried(address)
    assert str(refused.value).startswith("the server answered 401: it does not accept the key")
    assert len(refusing.asked) == 1


def test_a_trial_that_may_succeed_later_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    refusing = Refusing(503, 503)
    with replying(lambda to: refusing(to)) as address:
        tried(address)
    assert "The trial call failed: the server answered 503. The bot plays" in capfd.readouterr().err


def test_the_stand_in_passes_the_trial(capfd: pytest.CaptureFixture[str]) -> None:
    with stand_in() as server:
        tried(server.base_url)
        assert server.answers == 0
    assert capfd.readouterr().err == ""
