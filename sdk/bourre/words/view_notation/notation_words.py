"""Splits the text of a view, such as `play hand='AS KH 2C' trump=S`, into words, and reads their values."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import TypeVar

from bourre.rules.actions import Decision
from bourre.rules.errors import BourreError, unknown
from bourre.rules.house import HouseRules
from bourre.words.table_words import as_codes


class ViewTextError(BourreError, ValueError):
    """A text that does not describe a view. The message has the word and the fix."""


T = TypeVar("T")
Otherwise = TypeVar("Otherwise")
HOUSE_KEYS = tuple(field.name for field in fields(HouseRules))
VIEW_WORDS = (
    "hand",
    "trump",
    "trick",
    "tricks",
    "tricks_won",
    "playing",
    "plays",
    "drawn",
    "discarded",
    "seat",
    "seats",
    "dealer",
    "leader",
    "turned",
    "dead",
    "pot",
    "balances",
    "deal",
    "deals",
    "barred",
    "recalled",
    "owed_turns",
    "correcting",
    "legal",
    "seed",
    "preset",
)
"""All words in their written order. The keys of the house rules follow them."""


class Words:
    """The decision of a text and its values by word. Every error names the word."""

    def __init__(self, decision: Decision, values: Mapping[str, str]) -> None:
        """Raises ViewTextError if a word is unknown."""
        self.decision = decision
        self._values = {word: as_codes(value) for word, value in values.items()}
        for word in values:
            if word not in (*VIEW_WORDS, *HOUSE_KEYS):
                raise ViewTextError(unknown("word", word, (*VIEW_WORDS, *HOUSE_KEYS)))

    def __contains__(self, word: str) -> bool:
        return word in self._values

    def get(self, word: str, read: Callable[[str], T], otherwise: Otherwise) -> T | Otherwise:
        """Reads the value of a word; returns `otherwise` if the text lacks it; raises ViewTextError."""
        if word not in self._values:
            return otherwise
        try:
            return read(self._values[word])
        except (BourreError, ValueError) as error:
            raise ViewTextError(f"{word}={shlex.quote(self._values[word])}: {error}") from None

    def require(self, word: str, read: Callable[[str], T], example: str) -> T:
        """Returns the value of a required word; raises ViewTextError."""
        if word not in self._values:
            raise ViewTextError(f"{word} is missing.\nhint: add {word}={example}")
        value = self.get(word, lambda text: (read(text),), None)
        assert value is not None
        return value[0]

    def house(self) -> dict[str, str]:
        """Returns the texts of the house rules, by key."""
        return {key: value for key, value in self._values.items() if key in HOUSE_KEYS}


def split(text: str) -> tuple[Decision, dict[str, str]]:
    """Splits a text into the decision and its unread values by word; raises ViewTextError."""
    try:
        first, *rest = shlex.split(text) or [""]
    except ValueError as error:
        raise ViewTextError(f"{text!r}: {error}.\nhint: add the missing quote, as in hand='AS KH'") from None
    if first not in set(Decision):
        raise ViewTextError(f"{first!r} is not a decision.\nhint: use one of {', '.join(Decision)}")
    return Decision(first), dict(_pairs(rest))


def _pairs(words: Iterable[str]) -> Iterable[tuple[str, str]]:
    seen: set[str] = set()
    for written in words:
        word, equals, value = written.partition("=")
        if not equals:
            raise ViewTextError(f"{written!r} has no value.\nhint: use word=value, or quotes as in hand='AS KH 2C'")
        if word in seen:
            raise ViewTextError(f"{word!r} is given twice.\nhint: remove one")
        seen.add(word)
        yield word, value


def join(decision: Decision, values: Mapping[str, str]) -> str:
    """Writes the text of these values."""
    return " ".join([str(decision), *(f"{word}={shlex.quote(value)}" for word, value in values.items())])
