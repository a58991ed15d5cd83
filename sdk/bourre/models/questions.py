"""The questions that a model is asked: the prompt of each, the JSON of its answer, and how to read that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from bourre.models.answer import read_card, read_discards, read_suit, read_yes_no
from bourre.models.chat import AnswerFormat
from bourre.rules.cards import Card, Suit

T = TypeVar("T")
_YES: Final[Mapping[str, object]] = {"type": "boolean"}
_CARD: Final[Mapping[str, object]] = {"type": "string", "description": "rank and suit, such as AS or TH"}
_CARDS: Final[Mapping[str, object]] = {"type": "array", "items": _CARD}
_SUIT: Final[Mapping[str, object]] = {"type": "string", "enum": ["C", "D", "H", "S"]}


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One kind of decision."""

    name: str
    """The name of its prompt's file, without `.txt`."""
    key: str
    """The key of the decision in the JSON of an answer."""
    value: Mapping[str, object]
    """The schema of that value."""
    reader: Callable[[str, str], T]

    def read(self, text: str) -> T:
        """Reads an answer; raises Unparsable."""
        return self.reader(text, self.key)

    @property
    def form(self) -> AnswerFormat:
        """The JSON that the server is asked for: a reason, then the decision."""
        properties = {"why": {"type": "string", "description": "one short sentence"}, self.key: self.value}
        schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
        return AnswerFormat(self.name, schema)


def _yes_no(yes: str, no: str) -> Callable[[str, str], bool]:
    return lambda text, key: read_yes_no(text, key, yes, no)


DECLARE: Final[Question[bool]] = Question(
    "declare", "play", _YES, _yes_no("play|in|yes|true", "pass|out|no|false|fold")
)
DRAW: Final[Question[tuple[Card, ...]]] = Question("draw", "discard", _CARDS, read_discards)
TAKE_TURNED: Final[Question[bool]] = Question("take_turned", "take", _YES, _yes_no("take|yes|true", "leave|no|false"))
NAME_TRUMP: Final[Question[Suit]] = Question("name_trump", "suit", _SUIT, read_suit)
STAY: Final[Question[bool]] = Question("stay", "stay", _YES, _yes_no("stay|yes|true", "pass|leave|no|false|fold"))
PLAY: Final[Question[Card]] = Question("play", "card", _CARD, read_card)

QUESTIONS: Final[tuple[str, ...]] = tuple(
    question.name for question in (DECLARE, DRAW, TAKE_TURNED, NAME_TRUMP, STAY, PLAY)
)
"""The names of all questions."""
