"""A call of a language model: its prompt, the server's reply, and what it used."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls used."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_millionths: int = 0

    @property
    def tokens(self) -> int:
        """The tokens of prompts and answers."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cost_millionths + other.cost_millionths,
        )

    def __sub__(self, other: Spent) -> Spent:
        return self + Spent(-other.calls, -other.tokens_in, -other.tokens_out, -other.cost_millionths)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a server replied, without keys."""

    status: int
    """The HTTP status; 502 and 504 also stand for no reply."""
    body: str = ""
    server_model: str = ""
    """The model that the server names."""
    fingerprint: str = ""
    """The server's fingerprint of its software."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a bot's model."""

    number: int
    """Its number in the run, which the bot's note with the answer names (`numbers_in`)."""
    bot: str
    at: str
    """The time in ISO 8601, UTC."""
    prompt: str
    """The body of the request: the messages, and all options."""
    reply: ModelReply | None
    """None if the referee ended during the call."""
    spent: Spent


_LINE = re.compile("call ([0-9]{1,15})")


def numbers_in(note: str) -> list[int]:
    """Returns the numbers of the calls for an answer, from the lines of its note that name them."""
    found = map(_LINE.fullmatch, note.split("\n"))
    return [int(match[1]) for match in found if match]


def without_numbers(note: str) -> str:
    """Returns the note without these lines."""
    return "\n".join(line for line in note.split("\n") if not _LINE.fullmatch(line))
