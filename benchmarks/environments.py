"""Times environments in one process: random legal actions, steps per second of processor time.

    .venv/bin/python benchmarks/environments.py [--rounds 5] [--seconds 1]
    python3 dev.py compile .venv/bin/python benchmarks/environments.py
    .venv/bin/pip install -e '.[peers]'   # for PettingZoo's and RLCard's hold'em, which are left out without it

A step is one answered question, with its observation and mask. Ours plays matches of 50 deals at five seats. The peers
take turns within each round; games differ, so compare orders of magnitude.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from bourre_lab.envs import bourre_v0, features
from bourre_lab.envs.seat_env import SeatEnv
from bourre_lab.envs.vector import VectorEnv

SEATS, DEALS, AT_ONCE = 5, 50, 4096
Play = Callable[[Callable[[], float]], int]
"""Plays one game with these random numbers, and returns how many steps it took."""


def rate(play: Play, seconds: float) -> float:
    """Returns steps per second of processor time, of whole games for about this long."""
    roll = Random(7).random
    steps, began = 0, time.process_time()
    while (taken := time.process_time() - began) < seconds:
        steps += play(roll)
    return steps / taken


def aec(made: Any) -> Play:
    """Plays an AEC environment by its own loop."""

    def play(roll: Callable[[], float]) -> int:
        made.reset()
        steps = 0
        for _ in made.agent_iter():
            seen, _, over, cut, _ = made.last()
            if over or cut:
                made.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            made.step(int(legal[int(roll() * len(legal))]))
            steps += 1
        return steps

    return play


def one_seat() -> Play:
    """Plays the Gymnasium environment of one seat, whose bots are not counted."""
    made = SeatEnv(["drawer", "drawer"], DEALS)

    def play(roll: Callable[[], float]) -> int:
        seen, _ = made.reset()
        steps, over = 0, False
        while not over:
            legal = seen["action_mask"].nonzero()[0]
            seen, _, over, _, _ = made.step(int(legal[int(roll() * len(legal))]))
            steps += 1
        return steps

    return play


def vector() -> Play:
    """Plays many deals at once; a step in each deal that goes on counts, forced cards included."""
    made, rng = VectorEnv(AT_ONCE, SEATS), np.random.default_rng(7)

    def play(_: Callable[[], float]) -> int:
        mask, steps = made.reset()["action_mask"], 0
        while going := int((~made.over).sum()):
            steps += going
            mask = made.step((rng.random(mask.shape, np.float32) * mask).argmax(axis=1))["action_mask"]
        return steps

    return play


def rlcard() -> Play:
    """Plays RLCard's no-limit hold'em."""
    made: Any = importlib.import_module("rlcard").make("no-limit-holdem", config={"game_num_players": SEATS})

    def play(roll: Callable[[], float]) -> int:
        state, _ = made.reset()
        steps = 0
        while not made.is_over():
            legal = list(state["legal_actions"])
            state, _ = made.step(legal[int(roll() * len(legal))])
            steps += 1
        return steps

    return play


def pettingzoo() -> Play:
    """Plays PettingZoo's no-limit hold'em."""
    module: Any = importlib.import_module("pettingzoo.classic.texas_holdem_no_limit_v6")
    return aec(module.env(num_players=SEATS))


MAKERS: dict[str, Callable[[], Play]] = {
    "bourre_v0, AEC": lambda: aec(bourre_v0.env(SEATS, DEALS)),
    "one seat against two drawers": one_seat,
    f"{AT_ONCE:,} deals as arrays": vector,
    "PettingZoo's hold'em, AEC": pettingzoo,
    "RLCard's hold'em": rlcard,
}


def main() -> None:
    """Prints the median of each, and what part of RLCard's it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of processor time, for each in each round")
    options = parser.parse_args()
    there: dict[str, Play] = {}
    for name, make in MAKERS.items():
        try:
            there[name] = make()
        except ImportError as error:
            print(f"left out: {name} ({error})", file=sys.stderr)
    rates: dict[str, list[float]] = {name: [] for name in there}
    for number in range(options.rounds + 1):
        for name, play in there.items():
            found = rate(play, options.seconds)
            if number:  # the first round only warms up
                rates[name].append(found)
    print("plain Python" if features.__file__.endswith(".py") else "compiled")
    for name, found_rates in rates.items():
        print(f"{name:30} {statistics.median(found_rates):>10,.0f} steps per processor second")


if __name__ == "__main__":
    main()
