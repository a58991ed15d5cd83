"""Ships the checkpoint as the champion: `python -m research.champion.freeze` writes its file and its SHA-256."""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

from bourre_lab.champion import weights
from research.champion.train import CHECKPOINT


def freeze(checkpoint: Path, file: Path, module: Path) -> str:
    """Copies the checkpoint to the champion's file, writes its SHA-256 into the module, and returns it."""
    data = checkpoint.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    text, changes = re.subn(
        r'^(SHA256: Final = )".*"$', rf'\1"{digest}"', module.read_text("utf-8"), flags=re.MULTILINE
    )
    if changes != 1:
        raise ValueError(f"{module} has {changes} lines `SHA256: Final = ...`: there must be one")
    file.write_bytes(data)
    module.write_text(text, "utf-8")
    return digest


def main() -> None:
    """Freezes the checkpoint named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path, nargs="?", default=CHECKPOINT)
    print(freeze(parser.parse_args().checkpoint, weights.FILE, Path(weights.__file__)))


if __name__ == "__main__":
    main()
