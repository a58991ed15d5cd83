"""What a bot prints: always drained, so that printing never blocks it, and kept up to a limit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import BinaryIO

LIMIT = 256 * 1024
"""Bytes of output that are kept for each bot and room."""

_CHUNK = 64 * 1024


def create(path: Path) -> BinaryIO:
    """The empty log at this path, open; raises OSError where it cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("wb")


async def keep(output: asyncio.StreamReader, log: BinaryIO, limit: int = LIMIT) -> None:
    """Writes this output to an open log until it ends, at most `limit` bytes, and closes the log."""
    came = 0
    with log:
        while chunk := await output.read(_CHUNK):
            log.write(chunk[: max(0, limit - came)])
            log.flush()
            came += len(chunk)
        if came > limit:
            log.write(f"\n[bourre kept the first {limit} of {came} bytes]\n".encode())
