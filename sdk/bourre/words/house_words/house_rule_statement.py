"""The parts of the rules in words: statements and chapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from bourre.rules.house import HouseRules

DEFAULTS: dict[str, object] = {key.name: key.default for key in fields(HouseRules)}
"""The value of each house rule in the base game."""


def house_values(house: HouseRules) -> dict[str, object]:
    """Returns the value of each house rule."""
    return {key: getattr(house, key) for key in DEFAULTS}


@dataclass(frozen=True, slots=True)
class Statement:
    """One rule in words. With a key, `words` has texts for some values, and `number` is the text for all others."""

    rule: str
    text: str = ""
    key: str = ""
    words: Mapping[object, str] = field(default_factory=dict)
    """The text for each value; empty for a value without a statement."""
    number: str = ""
    unless: Mapping[str, object] = field(default_factory=dict)
    """The statement is left out if one of these keys has this value, because it has no effect then."""

    def text_for(self, values: Mapping[str, object]) -> str:
        """Returns the text for house rules with these values; empty if there is none."""
        if any(values[key] == value for key, value in self.unless.items()):
            return ""
        if not self.key:
            return self.text
        value = values[self.key]
        return self.words[value] if value in self.words else self.number.format(value)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules on one subject, in the order of play."""

    title: str
    statements: tuple[Statement, ...]
