"""Where bots' sockets may be: the system keeps a socket's path short, and gRPC writes it as an address."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

LONGEST_PATH = 107 if sys.platform == "linux" else 103
"""Bytes of a socket's path: the size of `sun_path` in `struct sockaddr_un`, less the final zero."""
_BELOW = len("/bourre-01234567/0123456789abcdef")
"""Bytes that a room needs for its own folder and the name of a socket."""
_NO_ADDRESS = re.compile("[%?#,\ud800-\udfff]")
"""What means something else in an address of gRPC, and bytes that are not UTF-8."""


def socket_problem(folder: Path) -> str:
    """Returns why rooms that keep temporary files in this folder could have no sockets, with the fix; empty if none."""
    length = len(os.fsencode(folder))
    if length + _BELOW > LONGEST_PATH:
        why = f"its path has {length} bytes"
    elif found := _NO_ADDRESS.search(str(folder)):
        why = f"its path has {found[0]!r} in it"
    else:
        return ""
    return f"{folder}: bots' sockets cannot be in this temporary folder, as {why}: set TMPDIR to another, such as /tmp"
