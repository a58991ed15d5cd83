"""The house rules that deals in step support: a rule that is new to the house is refused until it is written here."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from bourre.rules.errors import InvalidHouse
from bourre.rules.house import HouseRules

SUPPORTED: Final = frozenset(
    {
        *("cards", "trump_card", "declare_mode", "must_hold", "second_pass", "second_ante"),
        *("max_discards", "seven_player_limit", "recycle"),
        *("must_beat", "must_overtrump", "must_trump", "lead_honour", "lead_honour_when", "cinch", "cinch_adjacent"),
        *("tie", "pot_limit", "exempt_bourre", "exempt_tied"),
        # The caller pays the antes and chooses the dealer.
        *("first_dealer", "ante", "dealer_antes_all", "ante_when"),
        # They change nothing, because there are no reneges and no faults.
        *("renege_multiple", "renege_policy", "renege_pot", "fault_fine"),
    }
)
"""The keys of house rules that may differ from their defaults."""


def check_supported(house: HouseRules) -> None:
    """Raises InvalidHouse, naming the key, if these rules change one that deals in step do not support."""
    for field in fields(house):
        if field.name not in SUPPORTED and getattr(house, field.name) != field.default:
            raise InvalidHouse(
                f"bourre_lab.lockstep does not support the house rule {field.name!r}: use {field.default!r}"
            )
