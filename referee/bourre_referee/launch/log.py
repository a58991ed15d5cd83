"""What a bot prints: always drained, so that printing never blocks it, and kept up to a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

LIMIT = 256 * 1024
"""Bytes of output that are kept for each bot and room."""

_CHUNK = 64 * 1024


class Log:
    """One bot's log in one room: what the bot prints, and what the referee has to say to its author."""

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        """Begins an empty log at this path; raises OSError where it cannot be written."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb")
        self._limit = limit
        self._noted = 0

    async def keep(self, output: asyncio.StreamReader) -> None:
        """Writes this output until it ends, at most `limit` bytes."""
        came = 0
        while chunk := await output.read(_CHUNK):
            self._write(chunk[: max(0, self._limit - came)])
            came += len(chunk)
        if came > self._limit:
            self._write(f"\n[bourre kept the first {self._limit} of {came} bytes]\n".encode())

    def note(self, lines: Iterable[str]) -> None:
        """Writes lines of the referee, likewise at most `limit` bytes."""
        text = "".join(f"[bourre] {line}\n" for line in lines).encode()
        self._noted += len(text)
        if self._noted <= self._limit:
            self._write(text)

    def close(self) -> None:
        """Ends the log."""
        self._file.close()

    def _write(self, text: bytes) -> None:
        self._file.write(text)
        self._file.flush()
