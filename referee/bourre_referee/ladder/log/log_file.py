"""The lines of a log in a file, to which several processes append."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from bourre_referee.ladder.log.event_log import LONGEST_LINE
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.file_lock import take_turns
from bourre_referee.storage.files.untrusted_files import open_regular


class LogFile:
    """A file of lines. A position is a number of bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def read_after(self, position: int) -> Iterator[tuple[bytes, int]]:
        """Yields the lines after this position, each with the position after it. It cuts off an overlong line.

        It omits a last line that is still being written.
        """
        try:
            with open_regular(self.path) as file:
                if os.fstat(file.fileno()).st_size < position:
                    raise ContestError(f"{self.path} was truncated by another program.\nhint: restore it from a backup")
                file.seek(position)
                while (line := file.readline(LONGEST_LINE + 1)).endswith(b"\n") or len(line) > LONGEST_LINE:
                    position += len(line)
                    yield line, position
        except OSError as error:
            raise ContestError(
                f"Cannot read {self.path}: {error.strerror}.\nhint: pass the folder of a ladder"
            ) from error

    def lock(self) -> AbstractContextManager[None]:
        """Waits until no other process appends. The system releases the lock when its holder dies."""
        return take_turns(self.path, mode=0o644)

    def append(self, lines: Sequence[str], position: int) -> int:
        """Writes the lines to the disk. They overwrite an incomplete line of a killed process."""
        data = "".join(lines).encode()
        try:
            with self.path.open("r+b", buffering=0) as file:
                file.truncate(position)
                try:
                    file.seek(position)
                    _write_all(file.fileno(), data)
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(position)
                    raise
        except OSError as error:
            raise ContestError(
                f"Cannot write {self.path}: {error.strerror}.\n"
                "hint: free some disk space, or check its permissions (nothing is lost)"
            ) from error
        return position + len(data)


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]
