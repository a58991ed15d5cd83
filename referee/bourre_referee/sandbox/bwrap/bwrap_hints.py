"""Hints for a box that could not be made, chosen by what bubblewrap or Python printed."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path

from bourre_referee.text.names import printable

_NAMESPACES = (
    "user namespaces are refused: `sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`, on "
    "Ubuntu 24.04 an AppArmor profile for bwrap (docs/isolation.md), in a container --security-opt seccomp=unconfined"
)
_PRIVATE = "the user who runs bourre must be able to read it and to enter the folders above it"

_HINTS = (
    ("No permissions to create", _NAMESPACES),
    ("Creating new namespace failed", _NAMESPACES),
    ("setting up uid map", _NAMESPACES),
    ("Failed to make / slave", _NAMESPACES),
    ("loopback", _NAMESPACES),
    ("mount proc", "a part of /proc is hidden from this user: run outside a container, or with /proc unmasked"),
    ("No module named 'grpc'", "install bourre in the environment of that Python: python -m pip install bourre"),
    ("No module named 'google'", "install bourre in the environment of that Python: python -m pip install bourre"),
    ("shared libraries", "that Python needs libraries outside /usr and its own prefix: use another one"),
    ("Can't find source path", _PRIVATE),
    ("MemoryError", "raise [isolation] memory_mib"),
    ("Resource temporarily unavailable", "raise [isolation] processes"),
)


def hint_for(output: str) -> str:
    """Returns the last line of output, with a hint if there is one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    last = lines[-1] if lines else "it ended without output"
    hint = next((hint for words, hint in _HINTS if words in output), None)
    return f"{last}; {hint}" if hint else last


def explain(error: OSError) -> str:
    """Explains what the system refused while a box was prepared, with a hint; our own errors contain theirs."""
    if error.errno is None or error.filename is None:
        return str(error)
    return f"{error.filename}: {error.strerror}; {_PRIVATE}"


def explain_unreadable(path: Path, top: Path) -> str:
    """Explains that bots may not read this file, and how its owner makes everything in `top`, and no more, readable."""
    status = path.lstat()
    why = f"{printable(str(path))}: bots that root starts run as nobody, who may not read it"
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        return f"{why}, and it has a second hard link elsewhere: ask its author to put a copy there"
    # `find` follows no link and skips files with a second one; run by their owner, it opens nobody else's files.
    command = f"find {shlex.quote(str(top))} '(' -type d -o -links 1 -type f ')' -exec chmod o+rX {{}} +"
    return f"{why}: ask its owner, {_owner(path)}, to run: {command}"


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # this machine does not know the user
        return f"user {path.lstat().st_uid}"
