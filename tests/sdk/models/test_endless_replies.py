"""A server that sends too much, packs it, or sends it too slowly: the bot says so, within its clock."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from bourre.messages import Answer
from bourre.rules.actions import Fault, Missing, Play
from bourre.rules.cards import Card
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.prompt import Prompt
from bourre_seats.models.questions import PLAY
from bourre_seats.models.templates import Templates
from tests.sdk.models.asking import FREE_PLAY, Clock, Handler, Reply, answer_of, replying, saying

PACKED = gzip.compress(bytes(2**26), 1)
"""64 MiB in 300 kB."""


def answer_to(reply: Reply, call_seconds: float = 30.0) -> Answer:
    """What the bot answers at a server that replies like this."""
    with replying(reply) as address:
        return answer_of(
            model_bot(ModelSettings("m", address, call_seconds=call_seconds), timer=Clock().timer), FREE_PLAY
        )


def packed(to: Handler) -> None:
    to.begin(200, Content_Encoding="gzip", Content_Length=f"{len(PACKED)}")
    to.wfile.write(PACKED)


def endless(status: int) -> Reply:
    """A reply of this status whose body does not end."""

    def reply(to: Handler) -> None:
        to.begin(status, Location="/v1/chat/completions")
        while not to.over.is_set():
            to.wfile.write(b" " * 65536)

    return reply


def endless_head(to: Handler) -> None:
    to.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not to.over.is_set():
        to.wfile.write(b"X-More: more\r\n" * 1000)


def dripping(to: Handler) -> None:
    to.begin(200)
    while not to.over.wait(0.01):
        to.wfile.write(b" ")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (packed, "packs its replies"),
        (endless(200), "longer than 4 MiB"),
        (endless(307), "the server answered 307"),
        (endless(404), "the server answered 404"),
        (endless(500), "the server answered 500"),
        (endless_head, "the connection broke"),
        (saying("[" * 100_000), "not of this interface"),
        (saying('{"choices": 1' + "0" * 5000 + "}"), "not of this interface"),
        (saying('{"choices": [' + "{}," * 10**5 + "{}]}"), "holds no message"),
    ],
    ids=["packed", "endless", "redirect", "refusal", "failure", "head", "deep", "a long number", "many choices"],
)
def test_a_reply_is_read_within_bounds(reply: Reply, why: str) -> None:
    answer = answer_to(reply)
    assert answer.action == Missing(Fault.ERROR)
    assert why in answer.error


def test_the_clock_is_kept_while_a_reply_drips() -> None:
    assert "no answer within 0.2 s" in answer_to(dripping, call_seconds=0.2).error


def test_what_a_server_says_that_it_used_is_believed_within_bounds() -> None:
    message = {"content": '{"card": "9C"}', "more": ["x"] * 1000}
    usage = {"prompt_tokens": 10**400, "completion_tokens": -1}
    answer = answer_to(saying(json.dumps({"choices": [{"message": message}], "usage": usage})))
    assert answer.action == Play(Card("9C"))
    assert answer.usage
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (10**9, 0)


RIGHT = '{"choices": [{"message": {"content": "9C"}}]}'


def test_a_request_says_which_model_what_it_is_asked_and_how_it_is_to_answer() -> None:
    heard: list[dict[str, Any]] = []

    def reply(to: Handler) -> None:
        heard.append(json.loads(to.asked))
        saying(RIGHT)(to)

    with replying(reply) as address:
        for structured in (True, False):
            settings = ModelSettings("m", address, structured=structured, extra_body={"temperature": 0})
            answer_of(model_bot(settings, timer=Clock().timer), FREE_PLAY)
    said = Prompt(Templates(None), legal=True).messages(PLAY, FREE_PLAY)
    plain = {"model": "m", "messages": [{"role": one.role, "content": one.text} for one in said], "temperature": 0}
    reason = {"type": "string", "description": "one short sentence"}
    card = {"type": "string", "description": "rank and suit, such as AS or TH"}
    schema = {
        "type": "object",
        "properties": {"why": reason, "card": card},
        "required": ["why", "card"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "play", "schema": schema, "strict": True}}
    assert heard == [{**plain, "response_format": form}, plain]


def test_an_answer_that_the_server_cut_off_or_filtered_is_none() -> None:
    for reason, why in (
        ("length", "Unparsable: the answer is cut off at the most tokens"),
        ("content_filter", "Refused: the server filtered"),
    ):
        choice = {"message": {"content": '{"card": "9C"}'}, "finish_reason": reason}
        answer = answer_to(saying(json.dumps({"choices": [choice]})))
        assert answer.action == Missing(Fault.ERROR)
        assert answer.error.startswith(why)


def test_what_may_pass_is_tried_again_when_the_server_says() -> None:
    for status in (408, 409, 429, 500, 503):
        clock, waits = Clock(), iter(["7", "soon", "-3"])

        def reply(to: Handler, status: int = status, waits: Iterator[str] = waits) -> None:
            if wait := next(waits, ""):
                to.begin(status, Retry_After=wait, Content_Length="0")
            else:
                saying(RIGHT)(to)

        with replying(reply) as address:
            answer = answer_of(model_bot(ModelSettings("m", address), timer=clock.timer), FREE_PLAY)
        assert (answer.action, clock.waits) == (Play(Card("9C")), [7.0, 1.0, 2.0])
