"""Every table that can be played at: presets and numbers of seats."""

from __future__ import annotations

from bourre.rules.house import MAX_SEATS, MIN_SEATS, PRESET_SEATS, PRESETS, HouseRules

HOUSES = {name: HouseRules.preset(name) for name in PRESETS}


def sizes(preset: str) -> range:
    """The numbers of seats that play by this preset."""
    return range(MIN_SEATS, PRESET_SEATS.get(preset, MAX_SEATS) + 1)
