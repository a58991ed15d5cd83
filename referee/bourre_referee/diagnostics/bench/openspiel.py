"""OpenSpiel's games under random play, where the package `open_spiel` is installed."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from random import Random
from typing import Any


def openspiel_rate(game: str, games: int) -> float | None:
    """Decisions of players made in a second of random play; None where there is no OpenSpiel.

    Dealing takes its time, as in ours. There it is many decisions of chance, of which none is counted; each is made in
    the cheapest way, as if all were equally likely, which in games of cards they are.
    """
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    roll = Random(7).random
    loaded = pyspiel.load_game(game)
    began = time.perf_counter()
    decisions = sum(_played(loaded.new_initial_state(), roll) for _ in range(games))
    return decisions / (time.perf_counter() - began)


def _played(state: Any, roll: Callable[[], float]) -> int:
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        legal = state.legal_actions()
        state.apply_action(legal[int(roll() * len(legal))])
    return decisions
