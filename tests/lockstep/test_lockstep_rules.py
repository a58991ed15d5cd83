"""Lockstep deals follow `bourre.rules`: the same decisions, legal cards and chips, with every preset."""

import numpy as np
import pytest

from bourre.lockstep import ACTIONS, CARD_ACTIONS, Asked, LockstepDeals, random_decks
from bourre.lockstep.action_numbers import COME_IN, TAKE
from bourre.lockstep.card_sets import Ints
from bourre.rules.actions import Decision
from bourre.rules.events import DealEnded
from bourre.rules.house import PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.match import Match
from tests.lockstep.rule_matches import SameDeals

DEALS = 24


def check_decision(deals: LockstepDeals, row: int, match: Match, legal: Ints) -> None:
    """Asserts that both ask the same seat for the same decision, with the same legal answers."""
    assert match.to_act == deals.to_act[row]
    view = match.view(match.to_act)
    asked = Asked(int(deals.asked[row]))
    if match.decision == Decision.PLAY:
        assert asked == Asked.PLAY
        assert {int(card) for card in view.legal} == {int(action) - CARD_ACTIONS for action in legal}
        return
    assert asked.name == match.decision.name or (asked, match.decision) == (Asked.ENTER, Decision.DECLARE)
    if asked in (Asked.ENTER, Asked.DRAW):
        plain = legal[(legal >= COME_IN) & (legal < TAKE)] - COME_IN
        assert all(int(subset).bit_count() <= view.max_discards for subset in plain)
        assert len(plain) == sum(subset.bit_count() <= view.max_discards for subset in range(1 << len(view.hand)))


TABLES = [
    (preset, seats) for preset in (*PRESETS, "divide", "honours") for seats in range(2, PRESET_SEATS.get(preset, 8) + 1)
]


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_random_play_is_the_same_as_in_the_rules(preset: str, seats: int) -> None:
    house = _house(preset)
    same = SameDeals(house, seats, DEALS, np.random.default_rng([seats, len(preset)]))
    for legal in same.steps():
        assert legal.shape == (DEALS, ACTIONS)
        assert (legal.any(axis=1) == ~same.deals.over).all()
        for row in same.open_rows():
            check_decision(same.deals, row, same.matches[row], np.flatnonzero(legal[row]))
    check_chips(same.deals, same.ends, house)


def _house(preset: str) -> HouseRules:
    if preset == "divide":
        return HouseRules.preset("separate_rounds", tie="divide", trump_card="separate_returned", pot_limit=4)
    if preset == "honours":
        return HouseRules.preset("pagat", lead_honour="highest", lead_honour_when="first", cinch_adjacent=False)
    return HouseRules.preset(preset)


def check_chips(deals: LockstepDeals, ends: dict[int, DealEnded], house: HouseRules) -> None:
    """Asserts that each deal ended with the chips and the pot of the rules."""
    settled = deals.settle()
    for row, end in ends.items():
        chips = settled.chips[row] - deals.state.paid[row] - house.ante
        assert end.balances == tuple(chips.tolist())
        assert end.pot == settled.next_pot[row]
    assert len(ends) == DEALS


def test_cards_that_a_seat_cannot_hold_are_never_in_its_hand() -> None:
    rng = np.random.default_rng(3)
    deals = LockstepDeals(HouseRules.preset("limit"), 5)
    deals.reset(random_decks(200, rng), 5)
    ruled_out = 0
    while not deals.all_over:
        assert not (deals.state.hands & deals.state.barred_cards).any()
        ruled_out += int(np.bitwise_count(deals.state.barred_cards).sum())
        deals.step((deals.legal_actions() * rng.random((200, ACTIONS))).argmax(axis=1))
    assert ruled_out > 1000
