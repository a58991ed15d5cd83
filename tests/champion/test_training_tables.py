"""A review warns of tables that the champion hardly trained for, and of no ordinary ones."""

from __future__ import annotations

import pytest

from bourre.rules.house import PRESETS, HouseRules
from bourre_lab.champion.training_tables import PRESET_SHARES, SEAT_SHARES, house_share, training_gap


def test_every_preset_has_its_share() -> None:
    assert sum(PRESET_SHARES.values()) == pytest.approx(1) == sum(SEAT_SHARES.values())
    assert all(house_share(HouseRules.preset(name)) >= PRESET_SHARES.get(name, 0.8) for name in PRESETS)


@pytest.mark.parametrize(
    "house", [HouseRules(), HouseRules.preset("limit", ante=5, pot_limit=100, renege_policy="silent")]
)
@pytest.mark.parametrize("seats", [3, 5, 7])
def test_an_ordinary_table_gets_no_warning(house: HouseRules, seats: int) -> None:
    assert training_gap(house, seats) == ""


@pytest.mark.parametrize(
    ("house", "seats", "rare"),
    [
        (HouseRules(), 2, "4% had 2 seats"),
        (HouseRules.preset("nba", ante=2), 5, "3% had these house rules"),
        (HouseRules(cinch=False), 5, "0% had these house rules"),
    ],
)
def test_a_rare_table_is_named_with_its_share(house: HouseRules, seats: int, rare: str) -> None:
    assert (
        training_gap(house, seats)
        == f"The champion hardly trained for this table, so trust it less: of its deals, {rare}."
    )
