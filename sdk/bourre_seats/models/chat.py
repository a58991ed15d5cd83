"""The interface of a chat server: completions and errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol

from bourre.rules.errors import BourreError

CAP_EXIT = 75
"""The exit status of a bot whose contest allows its model no more calls."""
CAP_HEADER = "X-Bourre-Cap"
"""The header of a reply to a call that a cap forbids; its value is the cap."""
CALL_HEADER = "X-Bourre-Call"
"""The header with the number of a call in the contest's record."""
Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """The JSON form of an answer."""

    name: str
    schema: Mapping[str, object]

    @property
    def as_sent(self) -> Mapping[str, object]:
        """The `response_format` of a request."""
        return {
            "type": "json_schema",
            "json_schema": {"name": self.name, "schema": self.schema, "strict": True},
        }


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's text and its usage."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    flaw: str = ""
    """The server's reason that the text is not an answer: it is cut off, or a thought alone."""
    refused: bool = False
    """Whether the model refused, or the server filtered its answer."""
    call: str = ""
    """The number of the call in the contest's record, if it has one."""


class Chat(Protocol):
    """A server that completes chats."""

    async def complete(self, messages: Sequence[Message], form: AnswerFormat, seconds: float) -> Completion:
        """Returns the model's next message within `seconds`; raises TryAgain or Unavailable."""


class TryAgain(Exception):
    """A call failed and may succeed later. The message has the reason."""

    def __init__(self, why: str, after_s: float = 0.0) -> None:
        super().__init__(why)
        self.after_s = after_s
        """The pause that the server asks for, in seconds."""


def leave_for_cap(cap: str) -> NoReturn:
    """Ends this program, whose contest allows its model no more calls. The referee charges no fault.

    Without clean-up, because an exception would print tracebacks of all the tasks that it passes.
    """
    print(f"The contest allows this model no more calls: {cap}", file=sys.stderr, flush=True)
    os._exit(CAP_EXIT)


class ModelError(BourreError):
    """The model made no decision. The name of the class tells the referee the kind of fault (`reported_fault`)."""


class Unavailable(ModelError):
    """No answer came in time, or the server refuses. The message has the reason."""


class TooLong(Unavailable):
    """The server refuses the prompt for its length."""


class Refused(ModelError):
    """The model refused to answer, or the server filtered its answer."""


class Unparsable(ModelError):
    """An answer has no decision. An illegal decision is one, and the referee judges it."""
