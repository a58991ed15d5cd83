"""Options as they are typed: former names lead to the new ones for a release, and `--cluster` needs no address."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Sequence

RENAMED = {
    "--db": "--to",
    "--decision-ms": "--decision-seconds",
    "--executor": "--cluster",
    "--house": "--rules",
    "--preset": "--rules",
    "--scheduler": "--cluster",
}
"""Options of the last release, and those that replace them."""

HERE = "local"
"""The value of `--cluster` for a cluster of this machine alone."""

ADDRESS = re.compile(rf"{HERE}|\w+://\S+|[^\s/]+:\d+")
"""The address of a scheduler; `--cluster` followed by anything else means this machine."""


def modern_words(words: Sequence[str], known: Collection[str], say: Callable[[str], None]) -> list[str]:
    """Returns these words for a command with the `known` options: renamed, and with a value for each `--cluster`."""
    left, modern = deque(words), list[str]()
    while left:
        word = left.popleft()
        option, equals, value = word.partition("=")
        new = RENAMED.get(option, "")
        if new in known and option not in known:
            say(f"`{option}` is now `{new}`")
            value = value if equals or not left else left.popleft()
            if option == "--executor":  # before an address, which says more
                modern[:0] = [] if value == "local" else [new, HERE]
            else:
                modern += [new, _seconds(value) if option == "--decision-ms" else value]
        else:
            modern.append(word)
            if word == "--cluster" and not (left and ADDRESS.fullmatch(left[0])):
                modern.append(HERE)
    return modern


def _seconds(milliseconds: str) -> str:
    return f"{int(milliseconds) / 1000:g}" if milliseconds.isdecimal() else milliseconds
