"""Explains house rules: the changes of a preset, then the whole game in the order of play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap

from bourre.rules.house import MIN_SEATS, PRESET_SEATS, PRESETS
from bourre.words.house_words import CHAPTERS, DEFAULTS, Statement

WIDTH = 88
BASE = "pagat"


def preset_lines() -> Iterator[str]:
    """Yields a paragraph for each preset, with its changes from `pagat`."""
    width = max(map(len, PRESETS)) + 2
    for name, keys in PRESETS.items():
        indent = " " * width
        yield from wrap(
            _keys(keys) or "the base game", WIDTH, initial_indent=f"{name:{width}}", subsequent_indent=indent
        )


def house_lines(preset: str) -> Iterator[str]:
    """Yields the rules of a preset of PRESETS in words, its differences from `pagat` first."""
    values = DEFAULTS | PRESETS[preset]
    yield from _introduction(preset, values)
    for chapter in CHAPTERS:
        yield ""
        yield chapter.title
        for statement in chapter.statements:
            differs = statement.text_for(values) != statement.text_for(DEFAULTS)
            yield from _item("*" if differs else "-", statement, values, statement.rule)


def _introduction(preset: str, values: Mapping[str, object]) -> Iterator[str]:
    keys = PRESETS[preset]
    if not keys:
        yield f"{preset}: the base game."
        return
    yield f"{preset} differs from {BASE} by (marked * below):"
    announced = set()
    for chapter in CHAPTERS:
        for statement in chapter.statements:
            if statement.key in keys and statement.key not in announced:
                announced.add(statement.key)
                yield from _item("*", statement, values, f"{statement.rule}, {_key(statement.key, keys)}")
    if preset in PRESET_SEATS:
        yield f"  * {MIN_SEATS} to {PRESET_SEATS[preset]} seats. (R1.1)"


def _item(bullet: str, statement: Statement, values: Mapping[str, object], source: str) -> Iterator[str]:
    """Yields the statement as an indented paragraph that ends with its source, or nothing if it has no text."""
    text = statement.text_for(values)
    if text:
        yield from wrap(f"{text} ({source})", WIDTH, initial_indent=f"  {bullet} ", subsequent_indent="    ")


def _keys(keys: Mapping[str, object]) -> str:
    return ", ".join(_key(key, keys) for key in keys)


def _key(key: str, keys: Mapping[str, object]) -> str:
    value = keys[key]
    return f"{key}={str(value).lower() if isinstance(value, bool) else value}"
