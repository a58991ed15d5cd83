"""Where example bots are, by whose names `practice` and the commands know them."""

from collections.abc import Iterator
from pathlib import Path

_HERE = Path(__file__)


def example_folders() -> Iterator[Path]:
    """Where they may be: in the current folder, in the installed package, in the clone that this is run from."""
    yield Path("examples")
    yield from shipped_folders()


def shipped_folders() -> Iterator[Path]:
    """Those of this distribution alone."""
    yield _HERE.parents[1] / "bourre_referee" / "examples"
    clone = _HERE.parents[2]
    if (clone / "pyproject.toml").is_file():
        yield clone / "examples"
