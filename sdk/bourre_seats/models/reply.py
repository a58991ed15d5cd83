"""Reads the reply of a server with OpenAI's interface: the text, tool calls, parts, thoughts of their own and usage."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bourre_seats.models.chat import Completion, TryAgain

_MOST_TOKENS = 10**9
"""The largest plausible number of tokens of one call."""
_FLAWS = {
    "length": "the answer is cut off at the most tokens that the server allows",
    "content_filter": "the server filtered the answer",
}
_THOUGHTS = ("reasoning", "reasoning_content", "thinking")
"""The fields and the parts in which servers send a model's thoughts."""


def read_reply(reply: object) -> Completion:
    """Returns the completion in a reply, which may be anything; raises TryAgain if it holds no message."""
    match reply:
        case {"choices": [{"message": {**said}, **choice}, *_], **rest}:
            usage = rest.get("usage")
            used = usage if isinstance(usage, dict) else {}
        case _:
            raise TryAgain("the reply holds no message")
    text = "\n".join(part for part in (*_texts(said.get("content")), *_arguments(said)) if part)
    return Completion(
        text=text,
        tokens_in=_count(used.get("prompt_tokens")),
        tokens_out=_count(used.get("completion_tokens")),
        flaw=_flaw(said, choice, text),
        refused=bool(said.get("refusal")) or choice.get("finish_reason") == "content_filter",
    )


def texts_in(reply: object) -> str:
    """Returns all that a model says in a reply, its thoughts first; empty if the reply holds no message."""
    match reply:
        case {"choices": [{"message": {**said}}, *_]}:
            parts = (*_thoughts(said), *_texts(said.get("content")), *_arguments(said))
            return "\n".join(part for part in parts if part)
        case _:
            return ""


def _flaw(said: Mapping[Any, object], choice: Mapping[Any, object], text: str) -> str:
    if said.get("refusal"):
        return "the model refused"
    if flaw := _FLAWS.get(str(choice.get("finish_reason")), ""):
        return flaw
    return "the server sent a thought, and no answer" if not text.strip() and any(_thoughts(said)) else ""


def _thoughts(said: Mapping[Any, object]) -> Iterator[str]:
    """Yields the thoughts of a message that have a field or a part of their own."""
    yield from (str(said[name]) for name in _THOUGHTS if said.get(name))
    content = said.get("content")
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict) and (kind := part.get("type")) in _THOUGHTS:
            yield str(part.get(kind) or part.get("text") or kind)


def _texts(content: object) -> Iterator[str]:
    """Yields the texts of a message's content, which is a text or a list of parts."""
    if isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") not in _THOUGHTS and isinstance(part.get("text"), str):
                yield part["text"]
    else:
        yield str(content or "")


def _arguments(said: Mapping[Any, object]) -> Iterator[str]:
    """Yields the arguments of the message's tool calls: models answer in them too, although no tool is offered."""
    calls = said.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        match call:
            case {"function": {"arguments": str(written)}}:
                yield written
            case {"function": {"arguments": {**given}}}:
                yield json.dumps(given)
    match said.get("function_call"):
        case {"arguments": str(written)}:
            yield written


def _count(number: object) -> int:
    return min(max(0, number), _MOST_TOKENS) if isinstance(number, int) else 0
