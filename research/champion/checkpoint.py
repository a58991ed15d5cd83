"""Small checkpoints of the training, from which it resumes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bourre_lab.champion.weights import NeuralNetwork


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
        networks = []
        for name in ("entry", "cards"):
            layers = range(sum(key.startswith(f"{name}_weights") for key in saved.files))
            weights = tuple(saved[f"{name}_weights{number}"].astype(np.float32) for number in layers)
            biases = tuple(saved[f"{name}_biases{number}"].astype(np.float32) for number in layers)
            networks.append(NeuralNetwork(weights, biases))
        return Checkpoint(int(saved["iteration"]), *networks)
