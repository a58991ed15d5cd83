"""What a log needs of the place where its lines are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol


class Lines(Protocol):
    """The lines of a log; the text of this object is what messages call the log.

    Every method raises ContestError if the lines cannot be read or written. A position is where a line ends; 0 is where
    the first one begins.
    """

    def read_after(self, position: int) -> Iterator[tuple[bytes, int]]:
        """Yields the lines after this position, each with its line break, and the position after it."""

    def lock(self) -> AbstractContextManager[None]:
        """Keeps others from appending inside the block."""

    def append(self, lines: Sequence[str], position: int) -> int:
        """Stores these lines, with their line breaks, after the last one, which ends at `position`: all, or none.

        Returns the position after them. Call it with the lock held, after all lines were read.
        """
