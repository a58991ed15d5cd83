"""Parse one question: a JSON object, whose values are checked as they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NoReturn

from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.errors import BourreError, InvalidCard, InvalidHouse
from bourre.rules.house import HouseRules, did_you_mean

DIGITS = 1000
"""The most digits of a number: far more than any pot has, and few enough to print every sum."""


class BadQuestion(BourreError, ValueError):
    """The question is invalid; the message names the key and how to fix it."""


def parse_question(line: str) -> dict[str, object]:
    """Parse the JSON object on this line; raises BadQuestion."""
    try:
        values = json.loads(line, object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadQuestion(f"this line is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise BadQuestion("this line is nested too deeply: only 'house' holds another object") from None
    if not isinstance(values, dict):
        raise BadQuestion("this line is not a JSON object: write {...}")
    return values


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise BadQuestion(f"the key {key!r} appears twice: write it once")
        values[key] = value
    return values


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise BadQuestion(f"a number has {len(digits)} digits: write {DIGITS} at most")
    return int(digits)


def _constant(word: str) -> NoReturn:
    raise BadQuestion(f"{word} is not JSON: write a number")


class Question:
    """The values of one line; every method raises BadQuestion."""

    def __init__(self, line: str, keys: Iterable[str]) -> None:
        """Parse a line that may have these `keys` and no others."""
        values = parse_question(line)
        known = tuple(keys)
        for key in values:
            if key not in known:
                self.refuse(f"unknown key {key!r}{did_you_mean(key, known)}")
        self._values = values

    def refuse(self, why: str) -> NoReturn:
        """Raise BadQuestion with this message."""
        raise BadQuestion(why) from None

    def cards(self, key: str) -> tuple[Card, ...]:
        """Parse cards written as `AS KH 2C`; none if the key is missing."""
        try:
            return parse_cards(self.text(key, ""))
        except InvalidCard as error:
            self.refuse(f"{key!r}: {error}")

    def suit(self, key: str) -> Suit:
        """Parse a suit written as one letter."""
        try:
            return Suit.parse(self.text(key))
        except InvalidCard as error:
            self.refuse(f"{key!r}: {error}")

    def text(self, key: str, otherwise: str | None = None) -> str:
        """Return a string; `otherwise`, if given, replaces a missing key."""
        value = self._get(key, otherwise)
        if not isinstance(value, str):
            self.refuse(f"{key!r} must be a string")
        return value

    def number(self, key: str, least: int, most: int | None = None, otherwise: int | None = None) -> int:
        """Return a whole number within these bounds."""
        return self._check_number(key, self._get(key, otherwise), least, most)

    def names(self, key: str) -> list[str]:
        """Return a list of strings; empty if the key is missing."""
        values = self._get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.refuse(f"{key!r} must be a list of names")
        return values

    def counts(self, key: str, most: int) -> dict[str, int]:
        """Return an object of whole numbers by name."""
        values = self._get(key, None)
        if not isinstance(values, dict):
            self.refuse(f"{key!r} must be an object of numbers by name")
        return {name: self._check_number(f"{key}.{name}", value, 0, most) for name, value in values.items()}

    def house(self) -> HouseRules:
        """Return the house rules: a preset, by default `pagat`, and keys that override it."""
        values = self._get("house", {})
        if not isinstance(values, dict):
            self.refuse("'house' must be an object of house rules")
        for key, value in values.items():
            if isinstance(value, dict | list):
                self.refuse(f"'house': {key!r} must be a string, a number, true, false or null")
        preset = values.pop("preset", "pagat")
        if not isinstance(preset, str):
            self.refuse("'house': 'preset' must be a string")
        try:
            return HouseRules.preset(preset, **values)
        except InvalidHouse as error:
            self.refuse(f"'house': {error}")

    def _get(self, key: str, otherwise: object) -> object:
        value = self._values.get(key, otherwise)
        if value is None and key not in self._values:
            self.refuse(f"{key!r} is missing")
        return value

    def _check_number(self, key: str, value: object, least: int, most: int | None) -> int:
        too_much = most is not None and isinstance(value, int) and value > most
        if not isinstance(value, int) or isinstance(value, bool) or value < least or too_much:
            bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
            self.refuse(f"{key!r} must be a whole number {bounds}")
        return value
