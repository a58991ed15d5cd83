"""A view gives the networks the same features as the lockstep deal in which every card is known."""

import numpy as np
import pytest

from bourre.rules.house import HouseRules
from bourre_lab.champion.network_inputs import card_features, entry_features
from bourre_lab.champion.view_state import asked_of, state_of
from bourre_lab.lockstep import Asked
from tests.lockstep.rule_matches import SameDeals

PRESETS = ("limit", "wikipedia", "simultaneous", "separate_dead", "nba", "indiana", "booray")
ROW = np.zeros(1, dtype=np.int64)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 5, 7])
def test_a_view_has_the_features_of_its_deal(preset: str, seats: int) -> None:
    house = HouseRules.preset(preset)
    same = SameDeals(house, seats, 6, np.random.default_rng(seats))
    exempt = np.array([0.25], dtype=np.float32)
    compared = 0
    for _ in same.steps():
        for row in same.open_rows():
            match, deals = same.matches[row], same.deals
            view = match.view(match.to_act)
            assert asked_of(view) == deals.asked[row]
            make = card_features if deals.asked[row] == Asked.PLAY else entry_features
            seen, order = make(state_of(view), ROW, exempt, house)
            known, known_order = make(deals.state, np.array([row]), exempt, house)
            np.testing.assert_array_equal(seen, known)
            np.testing.assert_array_equal(order, known_order)
            compared += 1
    assert compared > 6 * seats
