"""The questions for a model: the prompt, the JSON of the answer, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from bourre.rules.cards import Card, Suit
from bourre_seats.models.answer import TranscriptEntry, read_card, read_discards, read_entry, read_suit, read_yes_no
from bourre_seats.models.chat import AnswerFormat

T = TypeVar("T")
_YES: Final[Mapping[str, object]] = {"type": "boolean"}
_CARD: Final[Mapping[str, object]] = {"type": "string", "description": "rank and suit, such as AS or TH"}
_CARDS: Final[Mapping[str, object]] = {"type": "array", "items": _CARD}
_SUIT: Final[Mapping[str, object]] = {"type": "string", "enum": ["C", "D", "H", "S"]}


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[T]):
    """One kind of decision."""

    name: str
    """The name of its prompt's file, without `.txt`."""
    values: Mapping[str, Mapping[str, object]]
    """The schemas of the decision's values in the JSON of an answer, by key."""
    read: Callable[[str], T]
    """Reads an answer; raises Unparsable."""

    @property
    def form(self) -> AnswerFormat:
        """The JSON of the answer: a reason, then the decision."""
        properties = {"why": {"type": "string", "description": "one short sentence"}, **self.values}
        schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
        return AnswerFormat(self.name, schema)


def _question(name: str, key: str, schema: Mapping[str, object], read: Callable[[str, str], T]) -> ModelQuestion[T]:
    """Returns a question whose answer has one value."""
    return ModelQuestion(name, MappingProxyType({key: schema}), lambda text: read(text, key))


def _yes_no(name: str, key: str, yes: str, no: str) -> ModelQuestion[bool]:
    return _question(name, key, _YES, lambda text, key: read_yes_no(text, key, yes, no))


_IN, _OUT = "play|in|yes|true", "pass|out|no|false|fold"

DECLARE: Final = _yes_no("declare", "play", _IN, _OUT)
DRAW: Final[ModelQuestion[tuple[Card, ...]]] = _question("draw", "discard", _CARDS, read_discards)
ENTER: Final[ModelQuestion[TranscriptEntry]] = ModelQuestion(
    "enter",
    MappingProxyType({"play": _YES, "discard": _CARDS}),
    lambda text: read_entry(text, "play", "discard", _IN, _OUT),
)
"""The declaration with its discards, if both are one answer (R4.1)."""
TAKE_TURNED: Final = _yes_no("take_turned", "take", "take|yes|true", "leave|no|false")
NAME_TRUMP: Final[ModelQuestion[Suit]] = _question("name_trump", "suit", _SUIT, read_suit)
STAY: Final = _yes_no("stay", "stay", "stay|yes|true", "pass|leave|no|false|fold")
PLAY: Final[ModelQuestion[Card]] = _question("play", "card", _CARD, read_card)

QUESTIONS: Final[tuple[str, ...]] = tuple(
    question.name for question in (DECLARE, DRAW, ENTER, TAKE_TURNED, NAME_TRUMP, STAY, PLAY)
)
"""The names of all questions."""
