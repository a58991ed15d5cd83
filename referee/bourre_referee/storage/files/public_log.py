"""The public events of a room in play, for onlookers: a file without any seat's secrets, which ends with the room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from bourre.codec.wire_events import event_from_bytes, event_to_bytes
from bourre.rules.events import Event
from bourre.rules.visibility import public_event
from bourre_referee.storage.files.untrusted_files import read

_LENGTH = 4
"""The bytes before each event that hold its length."""


class PublicLog:
    """Writes the file inside a `with` block, and then removes it. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        self._path.parent.mkdir(exist_ok=True)
        self._file = self._path.open("wb")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)

    def write(self, events: Iterable[Event]) -> None:
        """Adds the public part of these events."""
        for event in events:
            data = event_to_bytes(public_event(event))
            self._file.write(len(data).to_bytes(_LENGTH) + data)
        self._file.flush()


def read_public_log(path: Path) -> Iterator[Event]:
    """Yields the events that are written so far; none if there is no such file. Raises ContestError if it is unfit."""
    try:
        data = read(path)
    except FileNotFoundError:
        return
    rest = memoryview(data)
    while len(rest) >= _LENGTH and len(rest) >= (end := _LENGTH + int.from_bytes(rest[:_LENGTH])):
        event = event_from_bytes(bytes(rest[_LENGTH:end]))
        if event is not None:
            yield event
        rest = rest[end:]
