"""Many deals at once are the deals of a match: the same observations, masks and chips."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from random import Random

import numpy as np
import pytest

from bourre import HouseRules, InvalidAction
from bourre.rules.events import DealEnded
from bourre.rules.house import MAX_SEATS, PRESET_SEATS
from bourre.rules.match import Match
from bourre_lab.batch_deals import random_decks
from bourre_lab.envs.action_space import ACTIONS, choice_of
from bourre_lab.envs.observation import mask_of, vector_of
from bourre_lab.envs.vector import VectorEnv
from tests.batch_deals.rule_matches import MOST_GATHERINGS, FixedChance
from tests.sdk.envs.tables import HOUSES

DEALS = 6
OTHERS = {
    "the dealer antes for all": HouseRules.preset("limit", dealer_antes_all=True),
    "the turned card is returned": HouseRules.preset("separate_rounds", trump_card="separate_returned", tie="divide"),
}


@pytest.mark.parametrize("name", [*HOUSES, *OTHERS])
def test_each_deal_is_a_deal_of_a_match(name: str) -> None:
    dice = Random(6)
    for seats, stake in ((2, 0), (PRESET_SEATS.get(name, MAX_SEATS), 4)):
        house = replace((HOUSES | OTHERS)[name], first_dealer=seats - 1)
        decks = random_decks(DEALS, np.random.default_rng(seats))
        env = VectorEnv(DEALS, seats, house, stake)
        seen = env.deal(decks)
        matches = []
        for deck in decks.tolist():
            orders = [random_decks(1, np.random.default_rng([*deck, time]))[0] for time in range(MOST_GATHERINGS)]
            matches.append(Match(seats, 1, house, FixedChance(deck, np.stack(orders), stake)))
        events = [match.start() for match in matches]
        while not env.over.all():
            assert not env.chips[~env.over].any()
            actions = np.full(DEALS, 999)  # what settled deals are told is ignored
            for row in np.flatnonzero(~env.over).tolist():
                view = matches[row].view(matches[row].to_act)
                assert env.to_act[row] == view.seat
                assert np.allclose(seen["observation"][row], vector_of(view), atol=1e-5)
                assert np.array_equal(seen["action_mask"][row], mask_of(view))
                actions[row] = dice.choice(np.flatnonzero(seen["action_mask"][row]).tolist())
                events[row] = matches[row].apply(view.seat, choice_of(int(actions[row]), view))
            seen = env.step(actions)
        assert not seen["action_mask"].any()
        for row, last in enumerate(events):
            (end,) = (event for event in last if isinstance(event, DealEnded))
            assert env.chips[row] == pytest.approx(np.array(end.balances) + end.pot / seats)


def course(env: VectorEnv, seed: int | None) -> str:
    """A checksum of all that is seen and won where every seat takes the last of its legal actions."""
    seen, told = env.reset(seed), []
    while not env.over.all():
        told.append(seen["observation"].tobytes() + seen["action_mask"].tobytes())
        seen = env.step(ACTIONS - 1 - seen["action_mask"][:, ::-1].argmax(axis=1))
    return sha256(b"".join([*told, env.chips.tobytes()])).hexdigest()


def test_a_seed_repeats_the_deals_and_goes_on_whatever_was_played_before() -> None:
    first, second = VectorEnv(30, 4), VectorEnv(30, 4)
    series = [course(first, 7), course(first, None)]
    assert [course(second, 7), course(second, None)] == series
    assert course(first, 7) == series[0] != series[1]


def test_what_cannot_be_played_is_refused() -> None:
    env = VectorEnv(3)
    legal = env.reset(seed=1)["action_mask"]
    last = int(legal[2].nonzero()[0][-1])
    for row, action in ((1, 40), (2, ACTIONS), (2, last - ACTIONS)):  # Python would count the last one from the end
        actions = np.zeros(3, np.int64)
        actions[row] = action
        with pytest.raises(InvalidAction, match=f"deal {row}: action {action} is not legal"):
            env.step(actions)
    with pytest.raises(ValueError, match="0 deals are too few"):
        VectorEnv(0)
