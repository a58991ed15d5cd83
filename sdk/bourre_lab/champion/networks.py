"""A network of dense layers with rectified linear units, in NumPy."""

from __future__ import annotations

from dataclasses import dataclass

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
