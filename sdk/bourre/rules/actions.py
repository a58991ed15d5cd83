"""The inputs of a match: the seats' decisions, and the referee's notices of faults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.errors import InvalidAction


class Decision(StrEnum):
    """The kinds of decisions."""

    NAME_TRUMP = "name_trump"
    DECLARE = "declare"
    DRAW = "draw"
    STAY = "stay"
    PLAY = "play"

    def __repr__(self) -> str:
        return f"Decision.{self.name}"


class Fault(StrEnum):
    """A bot's fault, other than a card against R5 or R6."""

    LATE = "late"
    UNDECODABLE = "undecodable"
    NOT_HELD = "not_held"
    ILLEGAL_DISCARD = "illegal_discard"
    PREMATURE = "premature"
    UNASKED = "unasked"
    ERROR = "error"
    CRASHED = "crashed"
    DISCONNECTED = "disconnected"
    STALLED = "stalled"
    OVER_LIMIT = "over_limit"
    START_FAILURE = "start_failure"
    REFUSED = "refused"
    PROVIDER = "provider"

    def __repr__(self) -> str:
        return f"Fault.{self.name}"


@dataclass(frozen=True, slots=True)
class Declare:
    """Passes or plays; in `turn` mode with the discards, as in a Draw (R4.1)."""

    plays: bool
    discards: tuple[Card, ...] = ()
    takes: bool = False

    def __str__(self) -> str:
        return _discard_text("in", self.discards, self.takes) if self.plays else "pass"


@dataclass(frozen=True, slots=True)
class Draw:
    """Discards these cards. No discards mean standing pat (R4.3)."""

    discards: tuple[Card, ...] = ()
    takes: bool = False
    """Whether the dealer takes the turned card for one of them (R3.2)."""

    def __str__(self) -> str:
        return _discard_text("draw", self.discards, self.takes)


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The dealer names the trump suit (R3.2)."""

    trump: Suit

    def __str__(self) -> str:
        return f"trump {self.trump}"


@dataclass(frozen=True, slots=True)
class Stay:
    """Stays for another second ante after the draw, or passes and loses the paid antes (preset `indiana`)."""

    stays: bool

    def __str__(self) -> str:
        return "stay" if self.stays else "leave"


@dataclass(frozen=True, slots=True)
class Play:
    """Plays this card. After a renege, it corrects the renege (R8.4)."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


PLAYS: Final = {card: Play(card) for card in DECK}
"""The Play of each card, made once."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Takes the last card back, unasked, and plays this one instead (R8.4, `silent`)."""

    card: Card

    def __str__(self) -> str:
        return f"recall {self.card}"


@dataclass(frozen=True, slots=True)
class Missing:
    """The seat to act gave no usable answer, so the referee acts for it (R8.5)."""

    fault: Fault

    def __str__(self) -> str:
        return f"?{self.fault}"


@dataclass(frozen=True, slots=True)
class Unasked:
    """A seat answered unasked, which is a fault. A premature answer also costs the next turn to deal (R4.7)."""

    fault: Fault

    def __str__(self) -> str:
        return f"!{self.fault}"


@dataclass(frozen=True, slots=True)
class HandOver:
    """The referee plays this seat from now on."""

    def __str__(self) -> str:
        return "house"


Choice = NameTrump | Declare | Draw | Stay | Play
"""A bot's answer to an ask."""

CHOICE_TYPES: Final[dict[Decision, type[Choice]]] = {
    Decision.NAME_TRUMP: NameTrump,
    Decision.DECLARE: Declare,
    Decision.DRAW: Draw,
    Decision.STAY: Stay,
    Decision.PLAY: Play,
}
"""The type of the answer to each decision."""

Action = Choice | Recall | Missing | Unasked | HandOver


def parse_action(text: str) -> Action:
    """Parses the text of an action; raises InvalidAction or InvalidCard."""
    word, _, rest = text.partition(" ")
    if word in ("in", "draw"):
        cards = [card for card in rest.split() if card != TAKES]
        discards, takes = tuple(map(Card, cards)), TAKES in rest.split()
        return Declare(True, discards, takes) if word == "in" else Draw(discards, takes)
    if word in ("trump", "recall"):
        return NameTrump(Suit.parse(rest)) if word == "trump" else Recall(Card(rest))
    if rest:
        raise InvalidAction(f"{text!r} is not an action: only `in`, `draw`, `trump` and `recall` take more words")
    if word in _SINGLE_WORDS:
        return _SINGLE_WORDS[word]
    if word[:1] in ("?", "!") and word[1:] in set(Fault):
        return Missing(Fault(word[1:])) if word[0] == "?" else Unasked(Fault(word[1:]))
    return PLAYS[Card(word)]


TAKES = "take"
_SINGLE_WORDS: dict[str, Action] = {
    str(action): action for action in (Declare(False), Stay(True), Stay(False), HandOver())
}
ACTION_WORDS: Final = ("in", "draw", "trump", "recall", TAKES, *_SINGLE_WORDS)
"""All words in the texts of actions."""


def _discard_text(word: str, discards: tuple[Card, ...], takes: bool) -> str:
    return " ".join([word, *map(str, discards), *([TAKES] if takes else [])]) if discards or takes else word
