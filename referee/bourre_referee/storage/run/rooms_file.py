"""The rooms in play, for spectators. The file is locked while it is valid: a killed referee's file is not."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import RoomSpec
from bourre_referee.storage.files.untrusted_files import open_regular

LONGEST = 2**18
"""The most bytes of the file that are read."""


@dataclass(frozen=True, slots=True)
class SeatedRoom:
    """A room in play. It has no secrets, because its bots know their opponents."""

    room: str
    bots: tuple[str, ...]
    """The names of its bots, in the order of the line-up."""


def seated(room: RoomSpec) -> SeatedRoom:
    """Returns the public part of a room in play."""
    return SeatedRoom(room.room, tuple(bot.name for bot in room.entries))


_ROOMS = TypeAdapter(tuple[SeatedRoom, ...])


class RoomsFile:
    """Publishes the rooms in play inside a `with` block, and then removes the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: tuple[SeatedRoom, ...] | None = None
        self._size = 0

    def __enter__(self) -> Self:
        """Makes the file, locked from the start. Raises ContestError."""
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.unlink(missing_ok=True)
            self._handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            fcntl.flock(self._handle, fcntl.LOCK_EX)
            new.replace(self._path)
        except OSError as error:
            raise self._not_written(error) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._handle)

    def tell(self, rooms: Sequence[SeatedRoom]) -> None:
        """Replaces the content of the file. Raises ContestError."""
        if self._told == tuple(rooms):
            return
        self._told = tuple(rooms)
        text = json.dumps([asdict(room) for room in rooms]).encode()
        self._size = max(self._size, len(text))
        try:
            os.pwrite(self._handle, text.ljust(self._size), 0)  # in one write, over the whole content
        except OSError as error:
            raise self._not_written(error) from error

    def _not_written(self, error: OSError) -> ContestError:
        hint = "check its permissions and the free disk space"
        return ContestError(f"{self._path}: cannot be written ({error.strerror}): {hint}")


def read_rooms(path: Path) -> tuple[SeatedRoom, ...]:
    """Returns the rooms in play; none if no referee plays, or if the file is invalid."""
    try:
        with open_regular(path) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return _ROOMS.validate_json(file.read(LONGEST))
    except (OSError, ContestError, ValidationError):  # spectators then see the page without tables
        return ()
    return ()  # its writer is gone
