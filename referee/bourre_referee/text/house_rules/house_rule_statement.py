"""Statements and chapters, the parts of the rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Statement:
    """One rule in words; with a key, `words` has a text for some values, and `number` one for all others."""

    rule: str
    text: str = ""
    key: str = ""
    words: Mapping[object, str] = field(default_factory=dict)
    """The text for each value; empty if there is nothing to say about it."""
    number: str = ""
    unless: Mapping[str, object] = field(default_factory=dict)
    """The statement is left out if one of these keys has this value, because it then has no effect."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules that belong together, in the order of play."""

    title: str
    statements: tuple[Statement, ...]
