"""A network of dense layers with rectified linear units, in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Network:
    """Layers of weights, of shape (inputs, outputs), and of biases, of shape (outputs,)."""

    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def __call__(self, inputs: Floats) -> Floats:
        """Returns the outputs of shape (rows, outputs) for inputs of shape (rows, inputs)."""
        layer = inputs
        last = len(self.weights) - 1
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            layer = layer @ weights + biases
            if number < last:
                np.maximum(layer, 0, out=layer)
        return layer


def new_network(sizes: tuple[int, ...], rng: np.random.Generator) -> Network:
    """Returns a network of these layer sizes with random weights (He initialization); the last layer is small."""
    weights, biases = [], []
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        scale = np.sqrt(2 / inputs) * (0.1 if number == len(sizes) - 2 else 1)
        weights.append((rng.standard_normal((inputs, outputs)) * scale).astype(np.float32))
        biases.append(np.zeros(outputs, dtype=np.float32))
    return Network(tuple(weights), tuple(biases))
