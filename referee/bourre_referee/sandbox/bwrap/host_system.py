"""What every box shares with its host: programs and libraries, but none of the host's configuration."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Link, Text

_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links into /usr on most systems, separate folders on others."""

_ETC = ("ld.so.cache", "alternatives")
"""The indexes of libraries and alternatives, without which programs do not start on some systems."""

_USERS = (
    Text("nobody:x:65534:65534:nobody:/tmp:/bin/false\n", "/etc/passwd"),
    Text("nogroup:x:65534:\n", "/etc/group"),
)


@cache  # each box of each room asks twice
def system(root: Path = Path("/")) -> tuple[Content, ...]:
    """Returns what is the same for every bot, and for the stage on which root sets up a box."""
    top = [_top(root / name) for name in _TOP if (root / name).exists()]
    etc = [Bind(root / "etc" / name, f"/etc/{name}") for name in _ETC if (root / "etc" / name).exists()]
    return (Bind(root / "usr", "/usr"), *top, *etc)


def users() -> tuple[Content, ...]:
    """Returns files that define the only user of a box."""
    return _USERS


def is_system(path: Path) -> bool:
    """Whether every box has this file anyway, at the same path."""
    return path.is_relative_to("/usr")


def _top(path: Path) -> Content:
    if path.is_symlink():
        return Link(str(path.readlink()), f"/{path.name}")
    return Bind(path, f"/{path.name}")
