"""A review warns of tables that the champion hardly trained for, and of no ordinary ones."""

from __future__ import annotations

import pytest

from bourre.rules.house import PRESETS, HouseRules
from bourre_lab.champion.training_tables import OTHER_HOUSES, house_share, training_gap


def test_the_other_presets_share_their_deals() -> None:
    others = [name for name in PRESETS if name not in ("limit", "pagat")]
    assert sum(house_share(HouseRules.preset(name)) for name in others) == pytest.approx(OTHER_HOUSES)


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
        (HouseRules.preset("nba", ante=2), 5, "1% had these house rules"),
        (HouseRules(cinch=False), 5, "0% had these house rules"),
    ],
)
def test_a_rare_table_is_named_with_its_share(house: HouseRules, seats: int, rare: str) -> None:
    assert (
        training_gap(house, seats)
        == f"The champion hardly trained for this table, so trust it less: of its deals, {rare}."
    )
