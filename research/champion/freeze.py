"""Ships a training as the champion: `python -m research.champion.freeze` writes its file and its SHA-256."""

from __future__ import annotations

import argparse
import hashlib
import io
import re
from pathlib import Path

import numpy as np

from bourre_lab.champion import weights
from bourre_lab.champion.weights import Networks
from research.champion.checkpoint import load
from research.champion.train import CHECKPOINT


def frozen(networks: Networks) -> bytes:
    """Returns the file of these networks: their weights and biases in half precision."""
    parts = {}
    for kind in ("entry", "cards"):
        network = getattr(networks, kind)
        for number, (layer, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
            parts[f"{kind}_weights{number}"] = layer.astype(np.float16)
            parts[f"{kind}_biases{number}"] = biases.astype(np.float16)
    file = io.BytesIO()
    np.savez_compressed(file, **parts)
    return file.getvalue()


def freeze(name: str, data: bytes, folder: Path, module: Path) -> str:
    """Writes the file of this name, and its SHA-256 into the module; returns the hash."""
    digest = hashlib.sha256(data).hexdigest()
    line = rf'^(    "{name}": )".*"(,)$'
    text, changes = re.subn(line, rf'\1"{digest}"\2', module.read_text("utf-8"), flags=re.MULTILINE)
    if changes != 1:
        raise ValueError(f"{module} has {changes} lines for {name!r} in SHA256: there must be one")
    (folder / f"{name}.npz").write_bytes(data)
    module.write_text(text, "utf-8")
    return digest


def main() -> None:
    """Freezes the checkpoint named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path, nargs="?", default=CHECKPOINT)
    parser.add_argument("--name", default=weights.CHAMPION, help="a name in SHA256 of bourre_lab.champion.weights")
    told = parser.parse_args()
    if not told.checkpoint.exists():
        parser.error(f"{told.checkpoint} does not exist: train first, by `python -m research.champion.train`")
    print(freeze(told.name, frozen(load(told.checkpoint).average), weights.FOLDER, Path(weights.__file__)))


if __name__ == "__main__":
    main()
