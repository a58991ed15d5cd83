"""Environments for learning to play: PettingZoo, Gymnasium and OpenSpiel. Extra `rl`.

env = gymnasium.make("bourre_lab.envs:Bourre-v0")
"""

from importlib.util import find_spec

if find_spec("gymnasium") is None:
    from bourre.extras import install_command

    raise ImportError(f"The environments need Gymnasium.\nhint: {install_command('rl')}")

import gymnasium

gymnasium.register("Bourre-v0", f"{__name__}.seat_env:SeatEnv")
