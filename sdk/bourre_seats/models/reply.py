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


def _flaw(said: Mapping[Any, object], choice: Mapping[Any, object], text: str) -> str:
    if said.get("refusal"):
        return "the model refused"
    if flaw := _FLAWS.get(str(choice.get("finish_reason")), ""):
        return flaw
    return "the server sent a thought, and no answer" if not text.strip() and _thinks(said) else ""


def _thinks(said: Mapping[Any, object]) -> bool:
    content = said.get("content")
    kinds = [part.get("type") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return any(said.get(name) or name in kinds for name in _THOUGHTS)


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
