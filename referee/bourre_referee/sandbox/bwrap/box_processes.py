"""What /proc shows in a box: its own processes, and of the kernel's tables a few that say the same to every bot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bourre_referee.model.spec import Limits
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Empty, Text

_PROC = Path("/proc")
_IDLE = " 0" * 10
_FIXED = {
    "loadavg": "0.00 0.00 0.00 1/1 1\n",
    "uptime": "1.00 1.00\n",
    "stat": f"cpu {_IDLE}\ncpu0{_IDLE}\nintr 0\nctxt 0\nbtime 0\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n",
}
_SAME = ("cpuinfo", "filesystems", "version")
"""Tables that programs read as they start and that do not change while bots play."""


def tables(limits: Limits) -> Iterator[Content]:
    """Yields what covers all of /proc but the processes, and links to their own folders.

    The kernel's tables tell what other boxes and the host do, and a kernel or a module may add more.
    """
    for path in sorted(_PROC.iterdir()):
        if path.name.isdigit() or path.is_symlink():
            continue
        if path.is_dir():
            yield Empty(str(path))
        elif (text := _shown(path, limits)) is not None:
            yield Text(text, str(path))
        else:
            yield Bind(Path("/dev/null"), str(path))  # a device, which a box does not let a bot open there


def _shown(path: Path, limits: Limits) -> str | None:
    """What a box shows in place of this table; None if nothing."""
    if path.name in _SAME:
        return path.read_text(errors="replace")
    return _memory(path, limits) if path.name == "meminfo" else _FIXED.get(path.name)


def _memory(path: Path, limits: Limits) -> str:
    """Says that the host has its memory, of which the bot's share is free."""
    total = path.read_text().splitlines()[0]
    free = f"{limits.memory_mib * 1024:>8} kB"
    zeros = "".join(f"{name}: 0 kB\n" for name in ("Buffers", "Cached", "SwapCached", "Active", "Inactive", "Shmem"))
    return f"{total}\nMemFree: {free}\nMemAvailable: {free}\n{zeros}SwapTotal: 0 kB\nSwapFree: 0 kB\n"
