"""The whole state of a training, from which it resumes as if it had never stopped."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bourre_lab.champion.weights import Floats, Networks, NeuralNetwork
from research.champion.adam import Trained

ANCESTORS = 4


@dataclass(slots=True)
class Learner:
    """The two networks in training, and the ancestors that they play against."""

    entry: Trained
    cards: Trained
    iteration: int
    ancestors: deque[Networks]

    @property
    def average(self) -> Networks:
        """The networks with their weights averaged over the last steps, as they play."""
        return Networks(self.entry.average, self.cards.average)


def new_learner(networks: Networks) -> Learner:
    """Returns a learner that begins with copies of these networks."""
    learner = Learner(_trained(networks.entry), _trained(networks.cards), 0, deque(maxlen=ANCESTORS))
    learner.ancestors.append(learner.average)
    return learner


def _trained(network: NeuralNetwork) -> Trained:
    weights, biases = (tuple(part.copy() for part in parts) for parts in (network.weights, network.biases))
    return Trained(NeuralNetwork(weights, biases))


def save(learner: Learner, path: Path) -> None:
    """Writes the state whole or not at all."""
    parts = {"iteration": np.array(learner.iteration), "ancestors": np.array(len(learner.ancestors))}
    for kind in ("entry", "cards"):
        for name, arrays in getattr(learner, kind).state.items():
            parts |= {f"{kind}_{name}{number}": array for number, array in enumerate(arrays)}
        for age, networks in enumerate(learner.ancestors):
            arrays = _parts(getattr(networks, kind))
            parts |= {f"{kind}_ancestor{age}_{number}": array for number, array in enumerate(arrays)}
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        np.savez(file, **parts)  # type: ignore[arg-type]
    os.replace(partial, path)


def load(path: Path) -> Learner:
    """Returns the learner as it was saved."""
    with np.load(path) as saved:
        learner = new_learner(Networks(*(_network(saved, f"{kind}_weights") for kind in ("entry", "cards"))))
        for kind in ("entry", "cards"):
            trained: Trained = getattr(learner, kind)
            trained.restore({name: _arrays(saved, f"{kind}_{name}") for name in trained.state})
        learner.iteration = int(saved["iteration"])
        learner.ancestors.clear()
        for age in range(int(saved["ancestors"])):
            networks = [_network(saved, f"{kind}_ancestor{age}_") for kind in ("entry", "cards")]
            learner.ancestors.append(Networks(*networks))
        return learner


def _parts(network: NeuralNetwork) -> list[Floats]:
    return [*network.weights, *network.biases]


def _network(saved: np.lib.npyio.NpzFile, prefix: str) -> NeuralNetwork:
    parts = _arrays(saved, prefix)
    return NeuralNetwork(tuple(parts[: len(parts) // 2]), tuple(parts[len(parts) // 2 :]))


def _arrays(saved: np.lib.npyio.NpzFile, prefix: str) -> list[Floats]:
    """Returns the numbered arrays of this prefix, in order."""
    return [saved[f"{prefix}{number}"] for number in range(sum(key.startswith(prefix) for key in saved.files))]
