"""OpenSpiel's games under random play, where the package `open_spiel` is installed."""

from __future__ import annotations

import importlib
import time
from random import Random
from typing import Any


def openspiel_rate(game: str, games: int) -> float | None:
    """Decisions made in a second of random play; None where there is no OpenSpiel.

    What chance decides before the first decision of a player, which is the dealing, is not timed.
    """
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    roll = Random(7).random
    loaded = pyspiel.load_game(game)
    decisions, seconds = 0, 0.0
    for _ in range(games):
        state = _dealt(loaded, roll)
        began = time.perf_counter()
        decisions += _played_out(state, roll)
        seconds += time.perf_counter() - began
    return decisions / seconds


def _dealt(game: Any, roll: Any) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        _decide(state, roll)
    return state


def _played_out(state: Any, roll: Any) -> int:
    decisions = 0
    while not state.is_terminal():
        _decide(state, roll)
        decisions += 1
    return decisions


def _decide(state: Any, roll: Any) -> None:
    legal = state.legal_actions()
    state.apply_action(legal[int(roll() * len(legal))])
