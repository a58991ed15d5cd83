"""The program of docs/learn.md for another library runs as written. A stand-in asks what MaskablePPO asks."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import dev
from bourre_lab.envs.observation import Observation
from tests.documents import blocks_of


class Stand:
    """Takes random legal actions. As the library does, it asks for the masks before each action."""

    def __init__(self, policy: str, env: gymnasium.Env[Any, Any], seed: int) -> None:
        assert policy == "MultiInputPolicy"
        assert isinstance(env.observation_space, gymnasium.spaces.Dict)
        assert isinstance(env.action_space, gymnasium.spaces.Discrete)
        self.env, self.rng = env, np.random.default_rng(seed)

    def learn(self, steps: int) -> Stand:
        self.env.reset(seed=1)
        for _ in range(steps // 100):
            masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
            seen, _, over, cut, _ = self.env.step(self.choose(masks))
            assert self.env.observation_space.contains(seen)
            if over or cut:
                self.env.reset()
        return self

    def choose(self, masks: NDArray[Any]) -> np.int64:
        return np.int64(self.rng.choice(masks.nonzero()[0]))

    def predict(self, seen: Observation, *, action_masks: NDArray[Any]) -> tuple[np.int64, Observation | None]:
        assert np.array_equal(seen["action_mask"], action_masks)
        return self.choose(action_masks), None


def test_the_program_runs_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = [block.text for block in blocks_of(dev.ROOT / "docs/learn.md") if "MaskablePPO" in block.text]
    library = ModuleType("sb3_contrib")
    library.__dict__["MaskablePPO"] = Stand
    monkeypatch.setitem(sys.modules, "sb3_contrib", library)
    names: dict[str, Any] = {}
    exec(compile(program, "docs/learn.md", "exec"), names)
    names["env"].step(names["action"])
