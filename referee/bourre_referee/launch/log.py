"""What a bot prints: always drained, so that printing never blocks it, and kept up to a limit."""

from __future__ import annotations

import asyncio
from pathlib import Path

LIMIT = 256 * 1024
"""Bytes of output that are kept for each bot and room."""

_CHUNK = 64 * 1024


async def keep(output: asyncio.StreamReader, path: Path, limit: int = LIMIT) -> int:
    """Writes this output to a file until it ends, at most `limit` bytes; returns how many bytes came."""
    path.parent.mkdir(parents=True, exist_ok=True)
    came = 0
    with path.open("wb") as log:
        while chunk := await output.read(_CHUNK):
            log.write(chunk[: max(0, limit - came)])
            log.flush()
            came += len(chunk)
        if came > limit:
            log.write(f"\n[bourre kept the first {limit} of {came} bytes]\n".encode())
    return came
