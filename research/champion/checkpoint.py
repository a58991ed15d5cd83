"""Small checkpoints of the training, from which it resumes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bourre_lab.champion.weights import NeuralNetwork, read_network


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The networks after some iterations, in half precision in the file."""

    iteration: int
    entry: NeuralNetwork
    cards: NeuralNetwork


def save(checkpoint: Checkpoint, path: Path) -> None:
    """Writes a checkpoint whole or not at all."""
    parts = {"iteration": np.array(checkpoint.iteration)}
    for name, network in (("entry", checkpoint.entry), ("cards", checkpoint.cards)):
        for number, (weights, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
            parts[f"{name}_weights{number}"] = weights.astype(np.float16)
            parts[f"{name}_biases{number}"] = biases.astype(np.float16)
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        np.savez_compressed(file, **parts)  # type: ignore[arg-type]
    os.replace(partial, path)


def load(path: Path) -> Checkpoint:
    """Reads a checkpoint."""
    with np.load(path) as saved:
        return Checkpoint(int(saved["iteration"]), *(read_network(saved, name) for name in ("entry", "cards")))
