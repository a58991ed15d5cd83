"""Many deals for Gymnasium: they are the deals of `VectorEnv`, seen from one seat each, and go on by themselves."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from bourre import HouseRules, InvalidAction, InvalidHouse
from bourre_lab.batch_deals import random_decks
from bourre_lab.envs.observation import Observation
from bourre_lab.envs.seat_vector import SeatVectorEnv
from bourre_lab.envs.vector import VectorEnv

DEALS = 40


def last_legal(seen: Observation) -> NDArray[np.int64]:
    """The last of the legal actions of each row."""
    actions: NDArray[np.int64] = seen["action_mask"].shape[1] - 1 - seen["action_mask"][:, ::-1].argmax(axis=1)
    return actions


def first_legal(seen: Observation) -> NDArray[np.int64]:
    actions: NDArray[np.int64] = seen["action_mask"].argmax(axis=1)
    return actions


def course(env: SeatVectorEnv, seed: int | None, steps: int = 30) -> Iterator[tuple[Any, ...]]:
    """What is seen and gained with the last legal action at each step."""
    seen, _ = env.reset(seed=seed)
    for _ in range(steps):
        seen, rewards, over, cut, _ = env.step(last_legal(seen))
        assert not cut.any()
        yield seen["observation"].tobytes(), rewards.tolist(), over.tolist()


@pytest.mark.parametrize("preset", ["limit", "nba", "simultaneous", "indiana"])
def test_a_deal_brings_what_it_brings_where_every_seat_is_played(preset: str) -> None:
    house = HouseRules.preset(preset)
    env = SeatVectorEnv(DEALS, 4, house, 2, seat=0, opponents=last_legal)
    seen, _ = env.reset(seed=7)
    rng = np.random.default_rng(7)
    random_decks(DEALS, rng)
    whole = VectorEnv(DEALS, 4, house, 2)
    all_seen = whole.deal(random_decks(DEALS, rng))
    asked = np.zeros(DEALS, np.bool_)
    while not whole.over.all():
        asked |= (whole.to_act == 0) & ~whole.over
        all_seen = whole.step(last_legal(all_seen))
    gained = np.full(DEALS, np.nan)
    while np.isnan(gained).any():
        seen, rewards, over, _, _ = env.step(last_legal(seen))
        assert not rewards[~over].any()
        gained = np.where(np.isnan(gained) & over, rewards, gained)
    assert asked.sum() > DEALS / 2  # a deal that does not ask the learner is skipped
    assert gained[asked] == pytest.approx(whole.chips[asked, 0])


def test_it_speaks_gymnasiums_interface_of_vectors() -> None:
    env = SeatVectorEnv(DEALS, 3, opponents=first_legal)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, info = env.reset(seed=1)
    ended = np.zeros(DEALS, np.bool_)
    for _ in range(40):
        assert env.observation_space.contains(seen)
        assert np.array_equal(info["action_mask"], seen["action_mask"])
        assert np.array_equal(seen["action_mask"].any(axis=1), ~ended)
        assert not seen["observation"][ended].any()
        actions = np.where(ended, 999, last_legal(seen))
        seen, rewards, over, _, info = env.step(actions)
        assert not over[ended].any()
        assert not rewards[ended].any()
        ended = over
    recorded = gymnasium.wrappers.vector.RecordEpisodeStatistics(SeatVectorEnv(4, 3))
    seen, _ = recorded.reset(seed=1)
    for _ in range(20):
        seen, _, over, _, info = recorded.step(last_legal(seen))
        assert ("episode" in info) == over.any()


def test_a_seed_repeats_the_deals_and_a_pickle_goes_on_with_them() -> None:
    first, second = SeatVectorEnv(8, 4), SeatVectorEnv(8, 4)
    series = [*course(first, 7), *course(first, None)]
    assert [*course(second, 7), *course(second, None)] == series
    assert [*course(second, 8)] != series[:30]
    again = pickle.loads(pickle.dumps(first))
    assert [*course(again, None)] == [*course(first, None)]


def test_the_learner_sits_where_it_is_told_or_everywhere() -> None:
    moving, fixed = SeatVectorEnv(DEALS, 4), SeatVectorEnv(DEALS, 4, seat=2)
    for env in (moving, fixed):
        seen, _ = env.reset(seed=3)
        for _ in range(8):
            seen, *_ = env.step(last_legal(seen))
    assert {*moving.seat.tolist()} == {0, 1, 2, 3}
    assert {*fixed.seat.tolist()} == {2}


def test_the_champion_is_a_better_opponent_than_the_first_legal_action() -> None:
    def gained(env: SeatVectorEnv) -> float:
        return sum(sum(rewards) for _, rewards, _ in course(env, 5, 30))

    assert gained(SeatVectorEnv(DEALS, 3)) < gained(SeatVectorEnv(DEALS, 3, opponents=first_legal))


def test_what_cannot_be_played_is_refused() -> None:
    env = SeatVectorEnv(3)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="deal 0: action 40 is not legal"):
        env.step(np.full(3, 40))
    with pytest.raises(ValueError, match="the seats of this table are 0 to 4"):
        SeatVectorEnv(3, seat=5)
    with pytest.raises(InvalidHouse, match="9 seats cannot play"):
        SeatVectorEnv(3, 9)
