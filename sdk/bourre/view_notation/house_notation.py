"""House rules as words of a view's text: a preset, and the keys that differ from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from bourre.rules.house import CHOICES, PRESETS, HouseRules

DEFAULT_PRESET = "limit"
"""The preset if none is stated, as in practice."""


def read_house(preset: str, keys: Mapping[str, str]) -> HouseRules:
    """Reads the rules of this preset with these keys changed; raises InvalidHouse."""
    return HouseRules.preset(preset, **{key: _value(key, text) for key, text in keys.items()})


def house_words(house: HouseRules) -> dict[str, str]:
    """Writes these rules: the nearest preset, then the keys that differ."""
    differing = {name: _differing(house, HouseRules.preset(name)) for name in (DEFAULT_PRESET, *PRESETS)}
    nearest = min(differing, key=lambda name: len(differing[name]))
    return {"preset": nearest, **differing[nearest]}


def _differing(house: HouseRules, preset: HouseRules) -> dict[str, str]:
    values = {field.name: getattr(house, field.name) for field in fields(house)}
    return {key: _shown(value) for key, value in values.items() if value != getattr(preset, key)}


def _value(key: str, text: str) -> object:
    if text in ("true", "false") and key not in CHOICES:
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() else text


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
