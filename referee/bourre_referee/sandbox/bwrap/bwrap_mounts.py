"""The parts of a sandbox's file system, at paths that do not reveal the host's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bind:
    """A file or folder of the host that the sandbox can read."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link made in the sandbox."""

    points_to: str
    target: str


@dataclass(frozen=True, slots=True)
class Text:
    """A read-only file made in the sandbox."""

    content: str
    target: str


@dataclass(frozen=True, slots=True)
class Empty:
    """An empty read-only folder."""

    target: str


Content = Bind | Link | Text | Empty


@dataclass(frozen=True, slots=True)
class Inside:
    """The content and the command of a bot's sandbox."""

    command: tuple[str, ...]
    folder: str
    """The working directory of the command."""
    environment: tuple[tuple[str, str], ...]
    content: tuple[Content, ...]


def holder_of(path: Path, content: Iterable[Content]) -> Path | None:
    """Returns the bound host folder that exposes this host path in a sandbox; None if none does."""
    real, binds = path.resolve(), (item for item in content if isinstance(item, Bind))
    return next((bind.source for bind in binds if real.is_relative_to(bind.source.resolve())), None)
