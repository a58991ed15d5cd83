"""Whose containers are whose: their names tell which process started them, so that those of a dead one are found."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

_NAME = re.compile(r"bourre-(?P<namespace>\d+)-(?P<process>\d+)-(?P<started>\d+)-[0-9a-f]+")


def new_name() -> str:
    """A name for a container of this process that no other container has."""
    return f"bourre-{_namespace()}-{os.getpid()}-{_started(os.getpid())}-{secrets.token_hex(8)}"


def is_orphan(name: str) -> bool:
    """Whether the process that started the container of this name has ended; no process of elsewhere can be judged."""
    written = _NAME.fullmatch(name)
    if written is None or int(written["namespace"]) != _namespace():
        return False
    return _started(int(written["process"])) != int(written["started"])


def _namespace() -> int:
    """Which process ids are meant: a referee in a container of its own counts them anew."""
    return Path("/proc/self/ns/pid").stat().st_ino


def _started(process: int) -> int | None:
    """When a process started, in clock ticks since the machine did; None when there is no such process."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except FileNotFoundError:
        return None
    return int(stat.rpartition(")")[2].split()[19])
