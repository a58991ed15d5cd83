"""Warns the host before a disk is full."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic

LOOK_S = 10.0
"""The shortest time between two looks, in seconds."""
SHARE = 0.1
MOST = 2**30
"""A disk is nearly full when less than this share of it is free, and less than this many bytes."""
STEP = 4
"""Each further warning comes when the free space has shrunk to this fraction."""


class DiskWatch:
    """Watches the disk of a folder, and warns once for each step towards a full disk."""

    def __init__(self, folder: Path, tell: Callable[[str], None], now: Callable[[], float] = monotonic) -> None:
        self._folder = folder
        self._tell = tell
        self._now = now
        self._looked = -LOOK_S
        self._next = MOST + 1.0
        """A warning comes below this many free bytes."""

    def look(self) -> None:
        """Looks at the free space, unless it was looked at just now."""
        if self._now() - self._looked < LOOK_S:
            return
        self._looked = self._now()
        usage = shutil.disk_usage(self._folder)
        low = min(SHARE * usage.total, MOST)
        if usage.free >= 2 * low:
            self._end_warnings(usage.free)
        elif usage.free < min(low, self._next):
            self._next = usage.free / STEP
            left = f"{self._folder}: only {usage.free / 2**20:,.0f} MiB of the disk are free"
            self._tell(f"{left}. Play stops when it is full.\nhint: free some space now")

    def _end_warnings(self, free: int) -> None:
        if self._next < MOST:
            self._next = MOST + 1.0
            self._tell(f"{self._folder}: {free / 2**20:,.0f} MiB of the disk are free again")
