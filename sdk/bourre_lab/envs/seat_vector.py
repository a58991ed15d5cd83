"""Many deals at once for Gymnasium: one seat of each deal, with a policy or the champion in the other seats.

env = SeatVectorEnv(1024, seats=5)
seen, _ = env.reset(seed=7)
seen, rewards, over, _, _ = env.step(choose(seen["observation"], seen["action_mask"]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bourre.rules.house import HouseRules
from bourre_lab.envs.observation import Observation, action_space, observation_space
from bourre_lab.envs.vector import LIMIT, VectorEnv

Rows = NDArray[np.int64]
BatchPolicy = Callable[[Observation], Rows]
"""A function that returns an action for each row of `observation` and `action_mask`."""
Step = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""Observations, rewards, the flags of the settled deals, flags that are never set, and the masks as the info."""


class SeatVectorEnv(GymnasiumVectorEnv[Observation, Rows, NDArray[Any]]):
    """Deals that are settled alone, as in `vector.VectorEnv`. An episode is a deal, whose result is its last reward.

    The step after a deal's last one deals new cards, and ignores the action. Deals in which the learner is never asked
    are skipped.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 (Gymnasium's way)

    def __init__(
        self,
        num_envs: int,
        seats: int = 5,
        house: HouseRules = LIMIT,
        stake: int = 0,
        *,
        seat: int | None = None,
        opponents: BatchPolicy | None = None,
    ) -> None:
        """Every seat first pays `stake` into the pot. `seat` counts from the dealer's left, and None draws one.

        `opponents` plays the other seats, and None is the champion. Raises InvalidHouse for an impossible table.
        """
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"seat={seat}: the seats of this table are 0 to {seats - 1}")
        self._table = VectorEnv(num_envs, seats, house, stake)
        self._fixed_seat = seat
        self._opponents = opponents
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = observation_space(), action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seat: Rows = np.zeros(num_envs, np.int64)
        """The learner's seat in each deal."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins new deals from this seed, or continues the last one."""
        super().reset(seed=seed)
        self._table.reset(seed)
        self._begin(np.arange(self.num_envs))
        return self._observe()

    def step(self, actions: Rows) -> Step:
        """Takes an action of the learner in each deal; raises InvalidAction with the first deal where it is illegal."""
        ended = self._table.over.copy()
        playing = np.flatnonzero(~ended)
        self._table.act(playing, actions)
        self._play_others(playing)
        self._begin(np.flatnonzero(ended))
        over = self._table.over.copy()
        rewards = self._table.chips[np.arange(self.num_envs), self.seat]
        observation, info = self._observe()
        return observation, rewards, over, np.zeros_like(over), info

    def _begin(self, rows: Rows) -> None:
        """Deals new cards until the learner is asked in each of these deals."""
        while rows.size:
            drawn = self.np_random.integers(self._table.seats, size=len(rows))
            self.seat[rows] = drawn if self._fixed_seat is None else self._fixed_seat
            self._table.deal_again(rows)
            self._play_others(rows)
            rows = rows[self._table.over[rows]]

    def _play_others(self, rows: Rows) -> None:
        """Plays these deals until the learner is asked or the deal is settled."""
        while (rows := rows[~self._table.over[rows] & (self._table.to_act[rows] != self.seat[rows])]).size:
            if self._opponents is None:
                self._table.act_like_champion(rows)
            else:
                seen = self._table.observe()
                actions: Rows = np.zeros(self.num_envs, np.int64)
                actions[rows] = self._opponents({name: array[rows] for name, array in seen.items()})
                self._table.act(rows, actions)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        """Returns the learner's observations, which are 0 for a settled deal, and the masks again as the info."""
        seen = self._table.observe()
        seen["observation"][self._table.over] = 0
        return seen, {"action_mask": seen["action_mask"]}
