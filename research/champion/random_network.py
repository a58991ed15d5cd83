"""Makes networks that have learnt nothing yet."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from bourre_lab.champion.weights import NeuralNetwork


def new_network(sizes: tuple[int, ...], rng: np.random.Generator) -> NeuralNetwork:
    """Returns a network of these layer sizes with random weights (He initialization); the last layer is small."""
    weights, biases = [], []
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        scale = np.sqrt(2 / inputs) * (0.1 if number == len(sizes) - 2 else 1)
        weights.append((rng.standard_normal((inputs, outputs)) * scale).astype(np.float32))
        biases.append(np.zeros(outputs, dtype=np.float32))
    return NeuralNetwork(tuple(weights), tuple(biases))
