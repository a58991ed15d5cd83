"""What is put to a match from outside: the decisions of seats, and the referee's word that one is missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bourre.rules.cards import Card
from bourre.rules.errors import InvalidAction


class Decision(StrEnum):
    """What a seat is asked to decide."""

    DECLARE = "declare"
    DRAW = "draw"
    PLAY = "play"

    def __repr__(self) -> str:
        return f"Decision.{self.name}"


class Fault(StrEnum):
    """What a bot did wrong that is no play against R5 or R6."""

    LATE = "late"
    UNDECODABLE = "undecodable"
    NOT_HELD = "not_held"
    ILLEGAL_DISCARD = "illegal_discard"
    PREMATURE = "premature"
    UNASKED = "unasked"
    ERROR = "error"
    CRASHED = "crashed"
    DISCONNECTED = "disconnected"
    START_FAILURE = "start_failure"

    def __repr__(self) -> str:
        return f"Fault.{self.name}"


@dataclass(frozen=True, slots=True)
class Declare:
    """Pass, or play and discard these cards in the same turn (R4.1)."""

    plays: bool
    discards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return " ".join(["in", *map(str, self.discards)]) if self.plays else "pass"


@dataclass(frozen=True, slots=True)
class Draw:
    """Discard these cards; none of them is to stand pat (R4.3)."""

    discards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return " ".join(["draw", *map(str, self.discards)])


@dataclass(frozen=True, slots=True)
class Play:
    """Play this card; after a renege, the card that corrects it (R8.4)."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


@dataclass(frozen=True, slots=True)
class Missing:
    """The seat that is asked gave no usable answer: the referee acts for it (R8.5)."""

    fault: Fault

    def __str__(self) -> str:
        return f"?{self.fault}"


@dataclass(frozen=True, slots=True)
class Unasked:
    """A seat said something that it was not asked: a fault, and if premature a forfeited turn to deal (R4.7)."""

    fault: Fault

    def __str__(self) -> str:
        return f"!{self.fault}"


@dataclass(frozen=True, slots=True)
class HandOver:
    """From here on the house plays this seat."""

    def __str__(self) -> str:
        return "house"


Choice = Declare | Draw | Play
"""What a bot decides."""

Action = Choice | Missing | Unasked | HandOver


def parse_action(text: str) -> Action:
    """The action whose text this is; raises InvalidAction or InvalidCard."""
    word, _, rest = text.partition(" ")
    if word in ("in", "draw"):
        discards = tuple(Card(card) for card in rest.split())
        return Declare(True, discards) if word == "in" else Draw(discards)
    if rest:
        raise InvalidAction(f"{text!r} is no action: only `in` and `draw` have cards after them")
    if word in ("pass", "house"):
        return Declare(False) if word == "pass" else HandOver()
    if word[:1] in ("?", "!") and word[1:] in set(Fault):
        return Missing(Fault(word[1:])) if word[0] == "?" else Unasked(Fault(word[1:]))
    return Play(Card(word))
