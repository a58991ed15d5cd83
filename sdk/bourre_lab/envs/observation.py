"""Observations as NumPy arrays, with their Gymnasium spaces."""

from __future__ import annotations

from secrets import randbelow
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.view import View
from bourre_lab.envs.action_space import ACTIONS, legal_flags
from bourre_lab.envs.episode import Episode
from bourre_lab.envs.features import COUNTS, SIZE, chips_of, counts_of

Observation = dict[str, NDArray[Any]]
"""`observation`, 32-bit floats of shape (SIZE,), and `action_mask`, 8-bit integers of shape (ACTIONS,)."""

_LOWEST: Final = np.zeros(SIZE, np.float32)
_LOWEST[COUNTS:] = -127
_HIGHEST: Final = np.full(SIZE, 127, np.float32)


def observation_space() -> Dict:
    """Returns a new space of observations."""
    return Dict(
        {
            "observation": Box(_LOWEST, _HIGHEST, dtype=np.float32),
            "action_mask": Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def action_space() -> Discrete:
    """Returns a new space of actions (see `bourre_lab.envs.action_space`)."""
    return Discrete(ACTIONS)


def vector_of(view: View) -> NDArray[np.float32]:
    """Returns a bot's view as a vector of shape (SIZE,). `features.SECTIONS` lists its parts."""
    return _vector(counts_of(view), chips_of(view))


def mask_of(view: View) -> NDArray[np.int8]:
    """Returns 1 for each legal action of the asked seat, in an array of shape (ACTIONS,)."""
    return np.frombuffer(bytearray(legal_flags(view)), np.int8)


def observe(episode: Episode, seat: int) -> Observation:
    """Returns a seat's observation. The mask is all 0 unless the seat is asked."""
    asked = seat == episode.to_act and not episode.over
    flags = bytearray(episode.legal()) if asked else bytearray(ACTIONS)
    return {
        "observation": _vector(episode.counts(seat), episode.chips(seat)),
        "action_mask": np.frombuffer(flags, np.int8),
    }


def _vector(counts: bytearray, chips: list[float]) -> NDArray[np.float32]:
    vector = np.empty(SIZE, np.float32)
    vector[:COUNTS] = np.frombuffer(counts, np.int8)
    vector[COUNTS:] = chips
    return vector


class MatchSeries:
    """The chance of matches 1, 2, 3, ... of one seed, as in `bourre practice --seed`."""

    def __init__(self) -> None:
        self._master: bytes | None = None
        self.number = 0
        """The number of the last started match, from 1."""

    def restart(self, seed: int | None) -> None:
        """Begins again at match 1 of this seed. None continues, or begins with a random seed if there is none yet."""
        if seed is not None:
            self._master, self.number = master_seed(seed), 0
        elif self._master is None:
            self._master = master_seed(randbelow(2**63))

    def next(self) -> SeededChance:
        """Returns the chance of the next match."""
        if self._master is None:
            self.restart(None)
        assert self._master is not None
        self.number += 1
        return SeededChance(derive(self._master, f"match {self.number}"))
