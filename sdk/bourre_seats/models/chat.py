"""What the bot needs of a server: a completion of messages, and the ways in which there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from bourre.rules.errors import BourreError

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """The JSON that an answer must be."""

    name: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, and what it took."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    flaw: str = ""
    """Why the text is not an answer, if the server says so: it is cut off, filtered or refused."""


class Chat(Protocol):
    """A server that completes chats."""

    async def complete(self, messages: Sequence[Message], form: AnswerFormat, seconds: float) -> Completion:
        """Returns the model's next message within so many seconds; raises TryAgain or Unavailable."""


class TryAgain(Exception):
    """A call failed in a way that may pass; the message says how."""

    def __init__(self, why: str, after_s: float = 0.0) -> None:
        super().__init__(why)
        self.after_s = after_s
        """How many seconds the server asks to wait."""


class ModelError(BourreError):
    """A decision that the model did not make; the referee counts a fault of kind `error`."""


class Unavailable(ModelError):
    """No answer came in time, or the server refuses to give any; the message says why."""


class Unparsable(ModelError):
    """An answer came that is no decision; an illegal decision is one, and the referee judges it."""
