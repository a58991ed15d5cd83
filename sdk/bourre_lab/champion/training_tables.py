"""The tables that the champion trains for, and how little it knows of others."""

from __future__ import annotations

from typing import Final

from bourre.rules.house import HouseRules

SEAT_SHARES: Final = {2: 0.04, 3: 0.27, 4: 0.07, 5: 0.25, 6: 0.06, 7: 0.24, 8: 0.07}
"""The share of the training deals by the number of seats."""
PRESET_SHARES: Final = {
    "limit": 0.8,
    "double_ante": 1 / 60,
    "separate_rounds": 1 / 60,
    "simultaneous": 1 / 60,
    "separate_dead": 1 / 60,
    "separate_dealer_option": 1 / 60,
    "wikipedia": 1 / 60,
    "bicycle": 1 / 60,
    "nba": 2 / 60,
    "indiana": 1 / 60,
    "booray": 2 / 60,
}
"""The share of the training seats by preset; `limit` plays as `pagat`, `nba` and `booray` least like all others."""
_LITTLE: Final = 0.05
"""The champion hardly trained for what has a smaller share."""
_PLAYED: Final = (
    "cards", "trump_card", "declare_mode", "max_discards", "seven_player_limit", "recycle", "must_hold", "second_pass",
    "must_beat", "must_overtrump", "must_trump", "lead_honour", "lead_honour_when", "cinch", "cinch_adjacent", "tie",
)  # fmt: skip
"""The house rules that change the play, and not only what is paid."""


def training_gap(house: HouseRules, seats: int) -> str:
    """Returns a sentence if the champion hardly trained for such house rules or tables of this size, else nothing."""
    facts = (house_share(house), "these house rules"), (SEAT_SHARES[seats], f"{seats} seats")
    rare = ", ".join(f"{share:.0%} had {words}" for share, words in facts if share < _LITTLE)
    return f"The champion hardly trained for this table, so trust it less: of its deals, {rare}." if rare else ""


def house_share(house: HouseRules) -> float:
    """Returns the share of the training deals that were played by these house rules, whatever is paid."""
    alike = (name for name in PRESET_SHARES if _played(HouseRules.preset(name)) == _played(house))
    return sum(PRESET_SHARES[name] for name in alike)


def _played(house: HouseRules) -> tuple[object, ...]:
    return house.cost_to_enter > 0, *(getattr(house, name) for name in _PLAYED)
