"""The folders of the example bots that `practice` and the commands know by name."""

from collections.abc import Iterator
from pathlib import Path

_SITE = Path(__file__).parents[2]


def example_folders() -> Iterator[Path]:
    """Yields the folders of examples: the current one, the installed package, and the clone of this program."""
    yield Path("examples")
    yield from shipped_folders()


def shipped_folders() -> Iterator[Path]:
    """Yields only the folders of this distribution."""
    yield _SITE / "bourre_referee" / "examples"
    clone = _SITE.parent
    if (clone / "pyproject.toml").is_file():
        yield clone / "examples"
    yield _SITE / "bourre_lab" / "champion" / "bots"
