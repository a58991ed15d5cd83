"""Trains a network by gradient descent with Adam (Kingma and Ba, 2015)."""

from __future__ import annotations

import numpy as np

from bourre_lab.batch_deals.card_sets import Flags
from bourre_lab.champion.weights import Floats, NeuralNetwork

DECAY, SQUARE_DECAY, SMALL = 0.9, 0.999, 1e-8
GRADIENT_LIMIT = 1.0


class Trained:
    """A network in training, and the running averages of its gradients and weights."""

    def __init__(self, network: NeuralNetwork, averaged: float = 0.999) -> None:
        """`averaged` is how much of the averaged weights each step keeps."""
        self.network = network
        self._keep = averaged
        self._first = [np.zeros_like(part) for part in self._parts]
        self._second = [np.zeros_like(part) for part in self._parts]
        self._average = [part.copy() for part in self._parts]
        self._steps = 0

    @property
    def _parts(self) -> tuple[Floats, ...]:
        return (*self.network.weights, *self.network.biases)

    @property
    def state(self) -> dict[str, list[Floats]]:
        """All that a later step depends on, by name."""
        steps = [np.array(self._steps, dtype=np.float32)]
        named = {"weights": [*self._parts], "average": self._average}
        return named | {"first": self._first, "second": self._second, "steps": steps}

    def restore(self, state: dict[str, list[Floats]]) -> None:
        """Goes on from this state of a network with these layers."""
        for name, parts in self.state.items():
            for part, saved in zip(parts, state[name], strict=True):
                part[...] = saved
        self._steps = int(state["steps"][0])

    @property
    def average(self) -> NeuralNetwork:
        """The network with its weights averaged over the last steps."""
        layers = len(self.network.weights)
        parts = [part.copy() for part in self._average]
        return NeuralNetwork(tuple(parts[:layers]), tuple(parts[layers:]))

    def fit(self, inputs: Floats, known: Flags, targets: Floats, rate: float, contrast: float = 1.0) -> float:
        """Moves all outputs with a known target towards it; returns the mean squared error.

        The square of an error's difference from the mean error of its row counts `contrast` times as much as the
        square of that mean.
        """
        layers = self._forward(inputs)
        errors = np.where(known, layers[-1] - targets, np.float32(0))
        shared = np.where(
            known, errors.sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1), np.float32(0)
        )
        apart = errors - shared
        slope = (apart * np.float32(contrast) + shared) * np.float32(2 / len(inputs))
        self._step(layers, slope.astype(np.float32), rate)
        return float((errors**2).sum() / known.sum())

    def _forward(self, inputs: Floats) -> list[Floats]:
        layers = [inputs]
        last = len(self.network.weights) - 1
        for number, (weights, biases) in enumerate(zip(self.network.weights, self.network.biases, strict=True)):
            outputs = layers[-1] @ weights + biases
            layers.append(outputs if number == last else np.maximum(outputs, 0, out=outputs))
        return layers

    def _step(self, layers: list[Floats], slope: Floats, rate: float) -> None:
        weights = self.network.weights
        of_weights: list[Floats] = []
        of_biases: list[Floats] = []
        for number in reversed(range(len(weights))):
            of_weights.append(layers[number].T @ slope)
            of_biases.append(slope.sum(axis=0))
            if number:
                slope = (slope @ weights[number].T) * (layers[number] > 0)
        self._apply([*reversed(of_weights), *reversed(of_biases)], rate)

    def _apply(self, gradients: list[Floats], rate: float) -> None:
        self._steps += 1
        norm = float(np.sqrt(sum(float((part**2).sum()) for part in gradients)))
        scale = np.float32(min(1.0, GRADIENT_LIMIT / (norm + SMALL)))
        size = np.float32(rate * np.sqrt(1 - SQUARE_DECAY**self._steps) / (1 - DECAY**self._steps))
        keep = np.float32(min(self._keep, self._steps / (self._steps + 10)))
        groups = zip(self._parts, gradients, self._first, self._second, self._average, strict=True)
        for part, gradient, first, second, average in groups:
            gradient *= scale
            first += np.float32(1 - DECAY) * (gradient - first)
            second += np.float32(1 - SQUARE_DECAY) * (gradient * gradient - second)
            part -= size * first / (np.sqrt(second) + np.float32(SMALL))
            average += (1 - keep) * (part - average)
