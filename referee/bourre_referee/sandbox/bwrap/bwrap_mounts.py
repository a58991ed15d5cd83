"""What a box holds, each thing at a neutral path of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bind:
    """A file or folder of the host, to be read in the box."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link that is made in the box."""

    points_to: str
    target: str


@dataclass(frozen=True, slots=True)
class Text:
    """A file that is made in the box, to be read."""

    content: str
    target: str


Content = Bind | Link | Text


@dataclass(frozen=True, slots=True)
class Inside:
    """A bot as it is in its box."""

    command: tuple[str, ...]
    folder: str
    """Where the command is run."""
    environment: tuple[tuple[str, str], ...]
    content: tuple[Content, ...]


def holder_of(path: Path, content: Iterable[Content]) -> Path | None:
    """The folder of the host by which this path of the host is in such a box; None when it is not."""
    real, binds = path.resolve(), (item for item in content if isinstance(item, Bind))
    return next((bind.source for bind in binds if real.is_relative_to(bind.source.resolve())), None)
