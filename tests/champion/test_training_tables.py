"""The shares of the training by which a review warns are those of the training, and ordinary tables get no warning."""

from __future__ import annotations

import pytest

from bourre.rules.house import PRESETS, HouseRules
from bourre_lab.champion.training_tables import OTHER_HOUSES, SEAT_SHARES, house_share, training_gap
from research.champion.league import OTHER_HOUSE_CHANCE, SEAT_CHANCES, SEATS


def test_the_shares_are_those_of_the_training() -> None:
    assert dict(zip(SEATS, SEAT_CHANCES, strict=True)) == SEAT_SHARES
    assert OTHER_HOUSES == OTHER_HOUSE_CHANCE
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
