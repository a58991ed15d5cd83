"""What every box shares with its host: its programs and libraries, and nothing that was set up on it."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Link, Text

_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links into /usr on most systems, folders of their own on others."""

_ETC = ("ld.so.cache", "alternatives")
"""Where libraries and chosen programs are; programs do not start without them on some systems."""

_USERS = (
    Text("nobody:x:65534:65534:nobody:/tmp:/bin/false\n", "/etc/passwd"),
    Text("nogroup:x:65534:\n", "/etc/group"),
)


def system(root: Path = Path("/")) -> tuple[Content, ...]:
    """The same for every bot, and for the stage on which a box is set up."""
    top = [_top(root / name) for name in _TOP if (root / name).exists()]
    etc = [Bind(root / "etc" / name, f"/etc/{name}") for name in _ETC if (root / "etc" / name).exists()]
    return (Bind(root / "usr", "/usr"), *top, *etc)


def users() -> tuple[Content, ...]:
    """The only user that there is in a box."""
    return _USERS


def is_system(path: Path) -> bool:
    """Whether every box has this file already, at the same path."""
    return path.is_relative_to("/usr")


def _top(path: Path) -> Content:
    if path.is_symlink():
        return Link(str(path.readlink()), f"/{path.name}")
    return Bind(path, f"/{path.name}")
