"""The forms in which models give an answer: bare, in a fence, in parts, as a tool call, after thoughts."""

from __future__ import annotations

from enum import StrEnum

_THOUGHT = 'Should I answer {"card": "AS"}, {"play": false} or {"suit": "C"}? No: better is this.'
"""A thought with answers that do not count."""


class StandInStyle(StrEnum):
    """The forms of an answer."""

    BARE = "bare"
    FENCE = "fence"
    """The answer is in a block of code."""
    THINK = "think"
    """A thought in marks precedes the answer."""
    TAIL = "tail"
    """A thought precedes the answer, and the prompt has its first mark."""
    REASONING = "reasoning"
    """The thought has its own field."""
    PARTS = "parts"
    """The thought and the answer are parts of a list."""
    TOOL = "tool"
    """The answer is the call of a tool."""


def message_in(style: StandInStyle, text: str) -> dict[str, object]:
    """Returns the message with this answer."""
    match style:
        case StandInStyle.FENCE:
            return _message(f"Here it is:\n```json\n{text}\n```\n")
        case StandInStyle.THINK:
            return _message(f"<think>\n{_THOUGHT}\n</think>\n\n{text}")
        case StandInStyle.TAIL:
            return _message(f"{_THOUGHT}\n</think>\n\n{text}")
        case StandInStyle.REASONING:
            return _message(text) | {"reasoning_content": _THOUGHT}
        case StandInStyle.PARTS:
            return _message([{"type": "thinking", "thinking": _THOUGHT}, {"type": "text", "text": text}])
        case StandInStyle.TOOL:
            call = {"id": "call-1", "type": "function", "function": {"name": "answer", "arguments": text}}
            return _message(None) | {"tool_calls": [call]}
        case _:
            return _message(text)


def _message(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}
