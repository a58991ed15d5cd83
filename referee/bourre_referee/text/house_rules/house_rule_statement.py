"""What the rules in words are made of: statements, in chapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Statement:
    """One rule in words. With a key: the words of each of its values, `number` for those that are not listed."""

    rule: str
    text: str = ""
    key: str = ""
    words: Mapping[object, str] = field(default_factory=dict)
    """By value; an empty text where that value leaves nothing to say."""
    number: str = ""
    unless: Mapping[str, object] = field(default_factory=dict)
    """Left out where one of these keys has this value: the rule then decides nothing."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules that belong together, in the order of play."""

    title: str
    statements: tuple[Statement, ...]
