"""Checks folders for bots' sockets. The system limits a socket's path, and gRPC treats it as an address."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

LONGEST_PATH = 107 if sys.platform == "linux" else 103
"""The most bytes of a socket's path: the size of `sun_path` in `struct sockaddr_un`, minus the final zero."""
_BELOW = len("/bourre-01234567/0123456789abcdef")
"""The bytes for a room's folder and the name of a socket."""
_NO_ADDRESS = re.compile("[%?#,\ud800-\udfff]")
"""Matches special characters of gRPC's addresses, and bytes that are not UTF-8."""


def socket_problem(folder: Path) -> str:
    """Returns why rooms with temporary files in this folder cannot have sockets, with the fix; empty if they can."""
    length = len(os.fsencode(folder))
    if length + _BELOW > LONGEST_PATH:
        why = f"its path has {length} bytes"
    elif found := _NO_ADDRESS.search(str(folder)):
        why = f"its path has {found[0]!r} in it"
    else:
        return ""
    return (
        f"{folder}: bots' sockets cannot be in this temporary folder, because {why}.\n"
        "hint: set TMPDIR to another, such as /tmp"
    )
