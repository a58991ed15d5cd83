"""What stands last in an answer counts; a thought never does, however it is marked."""

from __future__ import annotations

import json
import random

import pytest

from bourre.rules.cards import Card
from bourre_seats.models.chat import TryAgain, Unparsable
from bourre_seats.models.questions import PLAY
from bourre_seats.models.reply import read_reply
from bourre_seats.models.thoughts import final_part

AS, KH = '{"card": "AS"}', '{"card": "KH"}'


def card_in(text: str) -> Card:
    return PLAY.read(final_part(text))


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{AS}</think>{KH}",
        f"<thinking>{AS}</thinking>\n{KH}",
        f"<reasoning>{AS}</reasoning>{KH}",
        f'<THINK id="1">{AS}</THINK >{KH}',
        f"<seed:think>{AS}</seed:think>{KH}",
        f"[THINK]{AS}[/THINK]{KH}",
        f"◁think▷{AS}◁/think▷{KH}",
        f"<|START_THINKING|>{AS}<|END_THINKING|>{KH}",
        f"<|channel|>analysis<|message|>{AS}<|end|><|start|>assistant<|channel|>final<|message|>{KH}<|return|>",
        f"{AS} it may be</think>{KH}",
        f"<think>a <think> in a thought {AS}</think> {AS} </think>{KH}",
        f"{AS} <think>no</think> {KH}",
        f"{KH} <think>{AS}? no</think>\n",
        f"<think></think>{KH}",
        "<think>AS</think>I play the KH.",
        "<think>x</think><answer>KH</answer>",
        "The AS wins now, but late. **Final answer:** KH",
        f'<tool_call>{{"name": "play", "arguments": {KH}}}</tool_call>',
        '{"why": "<think> is a word", "card": "KH"}',
    ],
)
def test_what_stands_last_counts(text: str) -> None:
    assert card_in(text) == Card("KH")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"<think>{KH}", "a thought does not end"),
        (f"{KH}<think>or", "a thought does not end"),
        (f"<think>{KH}</think>", "no answer outside it"),
        (f"{KH}</think> ", "no answer outside it"),
        (f"<think>x</think>{AS} {KH}", "more than one card"),
        ("<answer>AS</answer><answer>KH</answer>", "more than one card"),
        ("Final answer: AS. No, final answer: KH.", "more than one card"),
        ("{" * 101 + AS + KH, "more than 100 places"),
    ],
)
def test_no_last_answer_or_two_is_told(text: str, problem: str) -> None:
    with pytest.raises(Unparsable, match=problem):
        card_in(text)


def reply_with(message: object) -> object:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": [{"function": {"name": "play", "arguments": KH}}]},
        {"content": "I call it.", "tool_calls": [{"function": {"name": "play", "arguments": {"card": "KH"}}}]},
        {"content": None, "function_call": {"name": "play", "arguments": KH}},
        {"content": [{"type": "text", "text": KH}], "reasoning": AS},
        {"content": [{"type": "reasoning", "text": AS}, {"type": "output_text", "text": KH}, "x", None]},
        {"content": KH, "tool_calls": {"function": 1}, "reasoning_content": AS},
    ],
)
def test_an_answer_may_be_a_tool_call_or_a_part(message: object) -> None:
    assert card_in(read_reply(reply_with(message)).text) == Card("KH")


def test_words_and_a_tool_call_that_differ_are_two_answers() -> None:
    called = read_reply(reply_with({"content": AS, "tool_calls": [{"function": {"arguments": KH}}]}))
    with pytest.raises(Unparsable, match="more than one card"):
        card_in(called.text)


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 500_000,
        "<think>x</think>" * 250_000,
        "<think " * 500_000,
        "<" * 4_000_000,
        "<aaaaaaaaaa:" * 300_000,
        "</think" + " " * 4_000_000,
        '{"a":' * 800_000,
        '{"' * 10_000,
        "final answer" * 1_600,
        "\u202e<\U0001f600>" * 100_000,
    ],
    ids=range(10),
)
def test_hostile_texts_end(text: str) -> None:
    """In quadratic time, the first would take hours."""
    with pytest.raises(Unparsable):
        card_in(text)


def test_random_texts_and_replies_are_read_or_refused() -> None:
    random_ = random.Random(1)
    pieces = (
        "<think>",
        "</think>",
        AS,
        KH,
        "{",
        "}",
        '"',
        "[",
        "]",
        "<answer>",
        "```",
        "final answer",
        "\\",
        "\0",
        "AS",
    )
    keys = ("content", "tool_calls", "function_call", "reasoning", "refusal")
    values: tuple[object, ...] = (
        None,
        1,
        "x",
        [],
        [1],
        {},
        [{"function": None}],
        {"arguments": 1},
        [{"type": "text", "text": 1}],
        AS,
    )
    for _ in range(3000):
        text = "".join(random_.choices(pieces, k=random_.randrange(12)))
        message = {"content": text, random_.choice(keys): random_.choice(values)}
        try:
            assert card_in(read_reply(json.loads(json.dumps(reply_with(message)))).text) in (Card("AS"), Card("KH"))
        except (Unparsable, TryAgain):
            continue
