"""Networks of the champion and of its rivals: layers in NumPy, each frozen in a small file with a known SHA-256."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre.rules.errors import BourreError, unknown

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NeuralNetwork:
    """Layers of weights, of shape (inputs, outputs), and of biases, of shape (outputs,)."""

    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def __call__(self, inputs: Floats) -> Floats:
        """Returns the outputs of shape (rows, outputs) for inputs of shape (rows, inputs)."""
        return self.outputs(self.last_hidden(inputs))

    def last_hidden(self, inputs: Floats) -> Floats:
        """Returns the last layer before the outputs, of shape (rows, units)."""
        layer = inputs
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            layer = layer @ weights + biases
            np.maximum(layer, 0, out=layer)
        return layer

    def outputs(self, last_hidden: Floats) -> Floats:
        """Returns the outputs for this last layer."""
        return last_hidden @ self.weights[-1] + self.biases[-1]


FOLDER: Final = Path(__file__).with_name("networks")
SHA256: Final = {
    "champion": "bcc1d8e20d900eab6267165d94922d10f5301ca819e706ebaf58e36a629f9c21",
    "champion_1": "31c989f598992a9210a2bae9eca6d0ab11db853b62b3aea04c3efedd8194f439",
    "response_1": "f32e084b45d29bd00a693542f96a49d16375018f9b2471b8f72e344f57d4bdb0",
    "small_1": "49070130dcf65f02d91b9aafe556547afced961484bae440916af48e854aa2f3",
}
"""The hash of each file in FOLDER by its name. `python -m research.champion.freeze` writes both."""
CHAMPION: Final = "champion"


class UnknownNetworks(BourreError):
    """No frozen networks have this name."""


class DamagedNetworks(BourreError):
    """A file of networks is not the file of this version."""


@dataclass(frozen=True, slots=True)
class Networks:
    """The networks for decisions before the play and for cards."""

    entry: NeuralNetwork
    cards: NeuralNetwork


@cache
def frozen_networks(name: str) -> Networks:
    """Returns the networks of this name in SHA256.

    Raises UnknownNetworks for another name, and DamagedNetworks if their file has changed.
    """
    if name not in SHA256:
        raise UnknownNetworks(unknown("frozen network", name, SHA256))
    file = FOLDER / f"{name}.npz"
    data = file.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256[name]:
        raise DamagedNetworks(f"{file} has SHA-256 {found}, not {SHA256[name]}.\nhint: install bourre again")
    with np.load(io.BytesIO(data)) as saved:
        return Networks(*(read_network(saved, kind) for kind in ("entry", "cards")))


def read_network(saved: np.lib.npyio.NpzFile, name: str) -> NeuralNetwork:
    """Returns the network of this name: arrays `NAME_weights0`, `NAME_biases0` and so on, in half precision."""
    layers = range(sum(key.startswith(f"{name}_weights") for key in saved.files))
    return NeuralNetwork(
        tuple(saved[f"{name}_weights{number}"].astype(np.float32) for number in layers),
        tuple(saved[f"{name}_biases{number}"].astype(np.float32) for number in layers),
    )
