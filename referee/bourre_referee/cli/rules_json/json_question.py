"""One question as it is read: a JSON object, whose values are checked as they are taken."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NoReturn

from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.errors import BourreError, InvalidCard, InvalidHouse
from bourre.rules.house import HouseRules, did_you_mean

DIGITS = 1000
"""Of a whole number: far more than a pot ever has, and a text can still be made of any sum."""


class BadQuestion(BourreError, ValueError):
    """A question that cannot be read: names the key and the mend."""


def parsed(line: str) -> dict[str, object]:
    """The object that this line spells; raises BadQuestion."""
    try:
        values = json.loads(line, object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadQuestion(f"this line is no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise BadQuestion("this line is nested too deep: nothing lies deeper than in 'house'") from None
    if not isinstance(values, dict):
        raise BadQuestion("this line is no JSON object: write {...}")
    return values


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise BadQuestion(f"the key {key!r} is there twice: write it once")
        values[key] = value
    return values


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise BadQuestion(f"a number has {len(digits)} digits: write {DIGITS} at most")
    return int(digits)


def _constant(word: str) -> NoReturn:
    raise BadQuestion(f"{word} is no JSON: write a number")


class Question:
    """The values of one line; everything raises BadQuestion."""

    def __init__(self, line: str, keys: Iterable[str]) -> None:
        """`keys` may stand in the question, and no others."""
        values = parsed(line)
        known = tuple(keys)
        for key in values:
            if key not in known:
                self.refuse(f"unknown key {key!r}{did_you_mean(key, known)}")
        self._values = values

    def refuse(self, why: str) -> NoReturn:
        """Raises BadQuestion."""
        raise BadQuestion(why) from None

    def cards(self, key: str) -> tuple[Card, ...]:
        """Cards written as `AS KH 2C`; none where the key is missing."""
        try:
            return parse_cards(self.text(key, ""))
        except InvalidCard as error:
            self.refuse(f"{key!r}: {error}")

    def suit(self, key: str) -> Suit:
        """A suit written as one letter."""
        try:
            return Suit.parse(self.text(key))
        except InvalidCard as error:
            self.refuse(f"{key!r}: {error}")

    def text(self, key: str, otherwise: str | None = None) -> str:
        """A text; `otherwise` where the key is missing, if that is given."""
        value = self._get(key, otherwise)
        if not isinstance(value, str):
            self.refuse(f"{key!r} must be a text")
        return value

    def number(self, key: str, least: int, most: int | None = None, otherwise: int | None = None) -> int:
        """A whole number within these bounds."""
        return self._checked(key, self._get(key, otherwise), least, most)

    def names(self, key: str) -> list[str]:
        """A list of texts; empty where the key is missing."""
        values = self._get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.refuse(f"{key!r} must be a list of names")
        return values

    def counts(self, key: str, most: int) -> dict[str, int]:
        """An object of whole numbers by name."""
        values = self._get(key, None)
        if not isinstance(values, dict):
            self.refuse(f"{key!r} must be an object of numbers by name")
        return {name: self._checked(f"{key}.{name}", value, 0, most) for name, value in values.items()}

    def house(self) -> HouseRules:
        """The rules of the house: a preset, `pagat` where none is named, and keys set over it."""
        values = self._get("house", {})
        if not isinstance(values, dict):
            self.refuse("'house' must be an object of house rules")
        for key, value in values.items():
            if isinstance(value, dict | list):
                self.refuse(f"'house': {key!r} must be a text, a number, true, false or null")
        preset = values.pop("preset", "pagat")
        if not isinstance(preset, str):
            self.refuse("'house': 'preset' must be a text")
        try:
            return HouseRules.preset(preset, **values)
        except InvalidHouse as error:
            self.refuse(f"'house': {error}")

    def _get(self, key: str, otherwise: object) -> object:
        value = self._values.get(key, otherwise)
        if value is None and key not in self._values:
            self.refuse(f"{key!r} is missing")
        return value

    def _checked(self, key: str, value: object, least: int, most: int | None) -> int:
        too_much = most is not None and isinstance(value, int) and value > most
        if not isinstance(value, int) or isinstance(value, bool) or value < least or too_much:
            bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
            self.refuse(f"{key!r} must be a whole number {bounds}")
        return value
