"""Makes the calls of a bot's language model safe to print: the server's reply, and the question that it answered."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bourre_referee.model.model_call import ModelCall
from bourre_referee.text.names import printable

MOST_SHOWN = 4_000
"""The most characters that are shown of a reply or of a question. The table `calls` has all of them."""
MOST_NAME = 100
"""The most characters of the names that a server gives itself."""


@dataclass(frozen=True, slots=True)
class SpokenText:
    """The beginning of a text, and what is left out. All of it is printable."""

    lines: tuple[str, ...]
    cut: str
    """How much is shown of how much, in words; empty if all is shown."""


@dataclass(frozen=True, slots=True)
class SpokenCall:
    """A call. All text is printable."""

    number: int
    server_model: str
    """The model that the server names; empty if it names none."""
    fingerprint: str
    status: int | None
    """The HTTP status; None if no reply came."""
    said: SpokenText
    """All that the model says in the reply, its thoughts first. No lines if the reply holds no message."""
    reply: SpokenText
    """The reply as it came."""
    question: SpokenText
    """The last message of the prompt. The first one has the rules, the same in each call."""


def spoken_call(call: ModelCall) -> SpokenCall:
    """Returns the call for readers, with long texts shortened."""
    reply = call.reply
    return SpokenCall(
        call.number,
        _one_line(reply.server_model) if reply else "",
        _one_line(reply.fingerprint) if reply else "",
        reply.status if reply else None,
        _spoken(_said(reply.body) if reply else ""),
        _spoken(reply.body if reply else ""),
        _spoken(_last_message(call.prompt)),
    )


def _one_line(name: str) -> str:
    return printable(name[:MOST_NAME])


def _spoken(text: str) -> SpokenText:
    lines = tuple(map(printable, text[:MOST_SHOWN].splitlines()))
    cut = f"the first {MOST_SHOWN:,} of {len(text):,} characters" if len(text) > MOST_SHOWN else ""
    return SpokenText(lines, cut)


def _said(body: str) -> str:
    from bourre_seats.models.reply import texts_in  # loads the bot of models, which most replays do without

    try:
        return texts_in(json.loads(body))
    except (ValueError, RecursionError):
        return ""


def _last_message(prompt: str) -> str:
    """Returns the text of the last message in the body of a request, or the body if it has no such text."""
    try:
        text = json.loads(prompt)["messages"][-1]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return prompt
    return text if isinstance(text, str) else prompt
