"""Environments for learning to play: PettingZoo, Gymnasium and OpenSpiel. Extra `rl`.

env = gymnasium.make("bourre_lab.envs:Bourre-v0")
"""

from importlib.util import find_spec

if find_spec("gymnasium") is None:
    raise ImportError("The environments need Gymnasium.\nhint: run pip install 'bourre[rl]'")

import gymnasium

gymnasium.register("Bourre-v0", f"{__name__}.seat_env:SeatEnv")
