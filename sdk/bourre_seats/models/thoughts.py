"""Parts a model's answer from the thoughts before it, in the marks of the common models and servers."""

from __future__ import annotations

import json
import re

from bourre_seats.models.chat import Unparsable

_NAME = r"(?:\w{1,10}:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis)"
_MARK = re.compile(
    rf"(?P<begins><{_NAME}(?:\s[^<>]{{0,80}})?>|\[think\]|◁think▷|<\|start_thinking\|>|<\|channel\|>analysis)"
    rf"|</{_NAME}\s{{0,9}}>|\[/think\]|◁/think▷|<\|end_thinking\|>|<\|channel\|>final(?:<\|message\|>)?",
    re.IGNORECASE,
)
"""Where a thought begins or ends. Every repetition is bounded, so a search takes linear time."""


def final_part(text: str) -> str:
    """Returns the last words outside thoughts; raises Unparsable if there are none, or if a thought does not end.

    An end without a beginning ends a thought too, because some servers send the beginning in the prompt.
    """
    if _is_object(text):
        return text
    kept, start, thinks, thought = "", 0, False, False
    for mark in _MARK.finditer(text):
        thought = True
        if not mark["begins"]:
            kept, start, thinks = kept if thinks else "", mark.end(), False
        elif not thinks:
            kept, thinks = _last(kept, text[start : mark.start()]), True
    if thinks:
        raise Unparsable("a thought does not end, so no answer follows it")
    final = _last(kept, text[start:])
    if thought and not final.strip():
        raise Unparsable("there is a thought, and no answer outside it")
    return final


def _last(kept: str, later: str) -> str:
    return later if later.strip() else kept


def _is_object(text: str) -> bool:
    """Returns whether a text is one JSON object. Marks in its strings are no marks."""
    try:
        return text.lstrip().startswith("{") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
