"""The AEC environment: PettingZoo's own tests with every preset, and what they do not ask."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest
from pettingzoo.test import api_test, seed_test

from bourre import HouseRules, InvalidAction, InvalidHouse
from bourre_lab.envs import bourre_v0
from tests.sdk.envs.tables import HOUSES, sizes

pytestmark = pytest.mark.filterwarnings(  # what it says of every environment with masks
    "ignore:Observation space for each agent probably should be", "ignore:Observation is not a NumPy array"
)


@pytest.mark.parametrize("preset", HOUSES)
def test_pettingzoo_finds_nothing_wrong_with_small_and_large_tables(preset: str) -> None:
    for seats in (2, max(sizes(preset))):
        for reneges, rewards in ((False, "deal"), (True, "balance")):
            made = bourre_v0.env(seats, 3, HOUSES[preset], reneges=reneges, rewards=rewards)
            api_test(made, num_cycles=30)
        seed_test(lambda seats=seats: bourre_v0.env(seats, 2, HOUSES[preset]), num_cycles=40)


def played(made: bourre_v0.BourreEnv, seed: int | None) -> list[tuple[str, bytes, float]]:
    """Everything that the agents of one match saw and gained, with random legal actions."""
    made.reset(seed=seed)
    dice, seen = Random(3), []
    for agent in made.agent_iter():
        observation, reward, over, _, _ = made.last()
        other = made.possible_agents[made.possible_agents.index(agent) - 1]
        assert not made.observe(other)["action_mask"].any()  # only who is asked has legal actions
        seen.append((agent, observation["observation"].tobytes() + observation["action_mask"].tobytes(), reward))
        made.step(None if over else dice.choice(observation["action_mask"].nonzero()[0].tolist()))
    return seen


def test_a_seed_repeats_a_series_of_matches_whatever_went_before() -> None:
    first, second = bourre_v0.env(4, 2), bourre_v0.env(4, 2)
    series = [played(first, 7), played(first, None), played(first, None)]
    second.reset(seed=1)
    while not any(second.terminations.values()):
        second.step(int(second.observe(second.agent_selection)["action_mask"].argmax()))
    second.step(None)  # one agent leaves; the others never do
    assert [played(second, 7), played(second, None), played(second, None)] == series
    assert played(first, 7) == series[0] != series[1] != series[2]
    assert played(second, 8) != series[0]


def test_a_pickle_goes_on_where_it_was() -> None:
    made = bourre_v0.env(3, 2)
    made.reset(seed=7)
    for _ in range(4):
        made.step(int(made.last()[0]["action_mask"].argmax()))
    again = pickle.loads(pickle.dumps(made))
    for one in (made, again):
        while not any(one.terminations.values()):
            one.step(int(one.last()[0]["action_mask"].argmax()))
    assert again.balances == made.balances
    assert played(again, None) == played(made, None)


@pytest.mark.parametrize("rewards", ["deal", "balance"])
@pytest.mark.parametrize("reneges", [False, True])
def test_rewards_add_up_to_the_balances(rewards: str, reneges: bool) -> None:
    house = HouseRules.preset("indiana", renege_policy="silent")
    made = bourre_v0.env(5, 12, house, reneges=reneges, rewards=rewards)
    totals: dict[str, float] = {}
    for agent, _, reward in played(made, 5):
        totals[agent] = totals.get(agent, 0) + reward
    balances = dict(zip(made.possible_agents, made.unwrapped.balances, strict=True))
    assert totals == balances
    assert any(balances.values())
    assert sum(balances.values()) == 0


def test_rewards_by_deal_come_only_when_a_deal_ends() -> None:
    made = bourre_v0.env(3, 6)
    made.reset(seed=1)
    dice, deal, paid = Random(1), 1, 0
    while not any(made.terminations.values()):
        made.step(dice.choice(made.observe(made.agent_selection)["action_mask"].nonzero()[0].tolist()))
        ended = any(made.terminations.values()) or made.view().deal > deal
        assert not any(made.rewards.values()) or ended
        paid += any(made.rewards.values())
        deal = deal if not ended or made.terminations["seat_0"] else made.view().deal
    assert paid >= 5


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    made = bourre_v0.env(3)
    made.reset(seed=2)
    before = made.observe(made.agent_selection)
    for action in (-1, 120, 40, 86, None):
        with pytest.raises(InvalidAction, match="is not legal for seat"):
            made.step(action)
    after = made.observe(made.agent_selection)
    assert all((before[key] == after[key]).all() for key in before)


def test_a_match_that_asks_nobody_is_left_out() -> None:
    house = HouseRules.preset("indiana")
    made = bourre_v0.env(2, 1, house)
    made.reset(seed=0)
    for _ in range(300):  # about one in ten such matches asks nobody
        assert not any(made.terminations.values())
        assert made.observe(made.agent_selection)["action_mask"].any()
        made.reset()
    assert made.matches > 301


def test_render_tells_what_an_onlooker_sees() -> None:
    made = bourre_v0.env(3, render_mode="ansi")
    made.reset(seed=2)
    begun, asked = made.render(), made.agent_selection.replace("_", " ")
    assert begun is not None
    assert "seat 0 is dealt its cards" in begun
    assert made.render() == ""
    made.step(0)
    assert str(made.render()).startswith(f"{asked} passes")
    for _ in range(2):  # what nobody has read of a match is not told of the next
        made.reset(seed=2)
    assert made.render() == begun
    silent = bourre_v0.env(3)
    silent.reset(seed=2)
    assert silent.render() is None


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"seats": 9}, InvalidHouse, "9 seats cannot play"),
        ({"rewards": "often"}, ValueError, "use one of 'deal', 'balance'"),
        ({"render_mode": "human"}, ValueError, "use None or 'ansi'"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        bourre_v0.env(**options)
