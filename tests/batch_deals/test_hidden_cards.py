"""Hidden cards are dealt anew so that everything known stays, and every card that may lie anywhere does so as often."""

from __future__ import annotations

import numpy as np
import pytest

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.action_numbers import COME_IN
from bourre_lab.batch_deals.card_sets import Sets, count, sets_of, spread
from bourre_lab.batch_deals.hidden_cards import deal_hidden_cards
from tests.batch_deals.rule_matches import SameDeals

HOUSES = {name: HouseRules.preset(name) for name in ("limit", "wikipedia", "simultaneous", "nba", "indiana", "booray")}
HOUSES |= {name: HouseRules.preset("limit", trump_card=name) for name in ("separate_dead", "separate_returned")}
SEATS = 6
FIXED = {"simultaneous", "nba", "separate_returned"}
"""Houses in which hands stay, and only the stocks are shuffled."""


@pytest.mark.parametrize("name", HOUSES)
def test_what_has_been_seen_stays_and_no_card_lies_twice(name: str) -> None:
    rng = np.random.default_rng(3)
    same, changed = SameDeals(HOUSES[name], SEATS, 20, rng), 0
    for _ in same.steps():
        rows = np.flatnonzero(same.deals.asked < Asked.PLAY)
        known, copies = same.deals.at(rows).state, same.deals.at(rows)
        deal_hidden_cards(copies, rng)
        turned = sets_of(known.turned)[:, None]
        assert ((copies.state.hands & turned) == (known.hands & turned))[known.turned > 0].all()
        kept = (np.arange(SEATS) <= known.to_act[:, None]) | (known.drawn >= 0) | (known.plays == 0)
        same_hands = copies.state.hands == known.hands
        assert same_hands[kept].all()
        changed += int((~same_hands).sum())
        draws = np.flatnonzero((known.asked == Asked.ENTER) | (known.asked == Asked.DRAW))
        copies.step(np.full(len(rows), COME_IN + 3), draws)
        hands = copies.state.hands[draws]
        assert (count(np.bitwise_or.reduce(hands, axis=1)) == count(known.hands[draws]).sum(axis=1)).all()
    assert (changed == 0) == (name in FIXED)
    assert changed > 200 or not changed


def test_every_unseen_card_comes_to_every_place_as_often() -> None:
    deals = LockstepDeals(HOUSES["limit"], 3)
    deals.reset(random_decks(1, np.random.default_rng(6)), 3)
    copies = deals.at(np.zeros(20_000, dtype=np.int64))
    deal_hidden_cards(copies, np.random.default_rng(7))
    state = copies.state
    turned, own = spread(sets_of(state.turned[:1])).ravel(), spread(state.hands[:1, 0]).ravel()
    unseen = (turned == 0) & (own == 0)
    copies.step(np.full(20_000, COME_IN + 31))

    def frequencies(sets: Sets) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        shares: np.ndarray[tuple[int], np.dtype[np.float64]] = spread(sets).reshape(-1, 52).mean(axis=0)[unseen]
        return shares

    for sets, expected in ((state.hands[:, 1], 5), (state.hands[:, 2], 4), (state.hands[:, 0], 5)):
        np.testing.assert_allclose(frequencies(sets), expected / 46, atol=4 * np.sqrt(expected / 46 / 20_000))
