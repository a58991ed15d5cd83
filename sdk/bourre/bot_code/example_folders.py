"""The folders of the example bots that `practice` and the commands know by name."""

from collections.abc import Iterator
from pathlib import Path

_HERE = Path(__file__)


def example_folders() -> Iterator[Path]:
    """Yields the folders of examples: the current one, the installed package, the clone that this runs from."""
    yield Path("examples")
    yield from shipped_folders()


def shipped_folders() -> Iterator[Path]:
    """Yields only the folders of this distribution."""
    yield _HERE.parents[1] / "bourre_referee" / "examples"
    clone = _HERE.parents[2]
    if (clone / "pyproject.toml").is_file():
        yield clone / "examples"
    yield _HERE.parent / "champion" / "bots"
