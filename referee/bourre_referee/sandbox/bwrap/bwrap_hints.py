"""What to do about a box that could not be made, by the words in which bubblewrap or Python says so."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path

from bourre_referee.text.names import printable

_NAMESPACES = (
    "user namespaces are refused: `sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`, on "
    "Ubuntu 24.04 an AppArmor profile for bwrap (docs/isolation.md), in a container --security-opt seccomp=unconfined"
)
_PRIVATE = "it must be readable by the user who runs bourre, and the folders above it open to that user"

_MENDS = (
    ("No permissions to create", _NAMESPACES),
    ("Creating new namespace failed", _NAMESPACES),
    ("setting up uid map", _NAMESPACES),
    ("Failed to make / slave", _NAMESPACES),
    ("loopback", _NAMESPACES),
    ("mount proc", "a part of /proc is hidden from this user: run outside of a container, or with /proc unmasked"),
    ("No module named 'grpc'", "install bourre in the environment of that Python: python -m pip install bourre"),
    ("No module named 'google'", "install bourre in the environment of that Python: python -m pip install bourre"),
    ("shared libraries", "that Python needs libraries from outside of /usr and of its own prefix: use another one"),
    ("Can't find source path", _PRIVATE),
    ("MemoryError", "give more in [isolation] memory_mib"),
    ("Resource temporarily unavailable", "give more in [isolation] processes"),
)


def hint_for(output: str) -> str:
    """The last thing that was said, with the mend where it is known."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    last = lines[-1] if lines else "it ended without a word"
    mend = next((mend for words, mend in _MENDS if words in output), None)
    return f"{last}; {mend}" if mend else last


def refused(error: OSError) -> str:
    """What the system refused while a box was prepared, with the mend; our own errors say theirs already."""
    if error.errno is None or error.filename is None:
        return str(error)
    return f"{error.filename}: {error.strerror}; {_PRIVATE}"


def closed(path: Path, top: Path) -> str:
    """That bots may not read this file, and how its owner opens all that is in `top` without opening anything else."""
    status = path.lstat()
    why = f"{printable(str(path))}: bots that root starts run as nobody, who may not read it"
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        return f"{why}, and it has a second name elsewhere: have its author put a copy there"
    # `find` follows no link and leaves out what has a second name; run by its owner, it can open nobody else's files.
    opens = f"find {shlex.quote(str(top))} '(' -type d -o -links 1 -type f ')' -exec chmod o+rX {{}} +"
    return f"{why}: let its owner, {_owner(path)}, run: {opens}"


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # a user of another machine
        return f"user {path.lstat().st_uid}"
