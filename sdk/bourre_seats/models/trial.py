"""The call before the first card, which tells a wrong key, model or address while nothing is at stake."""

from __future__ import annotations

import sys

from bourre_seats.models.chat import AnswerFormat, Message, TryAgain
from bourre_seats.models.openai_chat import OpenAIChat

TRIAL = Message("user", 'Answer with this JSON alone: {"ready": true}')
"""The whole prompt."""
TRIAL_FORM = AnswerFormat(
    "ready",
    {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
)
LONGEST_TRIAL_S = 4.0
"""The longest trial: a bot has ten seconds to start, unless its contest file says otherwise."""
_CALLS = 2
"""One call with a JSON schema, and one without if the server takes none."""


async def try_server(chat: OpenAIChat, call_seconds: float) -> None:
    """Makes the trial; raises Unavailable if the server refuses. A server that may answer later gets the benefit."""
    try:
        await _try(chat, call_seconds)
    finally:
        await chat.close()


async def _try(chat: OpenAIChat, call_seconds: float) -> None:
    why = ""
    for _ in range(_CALLS):
        try:
            await chat.complete([TRIAL], TRIAL_FORM, min(call_seconds, LONGEST_TRIAL_S / _CALLS))
        except TryAgain as failed:
            why = str(failed)
        else:
            return
    print(
        f"The trial call failed: {why}. The bot plays, and asks again for each decision.", file=sys.stderr, flush=True
    )
