"""The parts of a box's file system, each at a path that reveals nothing of the host."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bind:
    """A file or folder of the host that the box can read."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link made in the box."""

    points_to: str
    target: str


@dataclass(frozen=True, slots=True)
class Text:
    """A read-only file made in the box."""

    content: str
    target: str


@dataclass(frozen=True, slots=True)
class Empty:
    """A read-only folder in which there is nothing."""

    target: str


Content = Bind | Link | Text | Empty


@dataclass(frozen=True, slots=True)
class Inside:
    """What a bot's box contains and runs."""

    command: tuple[str, ...]
    folder: str
    """The working directory of the command."""
    environment: tuple[tuple[str, str], ...]
    content: tuple[Content, ...]


def holder_of(path: Path, content: Iterable[Content]) -> Path | None:
    """Returns the bound host folder through which a box shows this host path; None if it does not."""
    real, binds = path.resolve(), (item for item in content if isinstance(item, Bind))
    return next((bind.source for bind in binds if real.is_relative_to(bind.source.resolve())), None)
