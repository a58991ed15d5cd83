"""Talks to a bot in another sandbox, or to itself in a later one, by every covert channel of the host's kernel.

`python3 -m bourre_referee.diagnostics.attacks.covert_talker` connects to its referee's socket and obeys lines, each of
a verb, a way and the number of a bit: `tell` writes the bit 0 or 1 that follows, `watch` looks before it is written,
and `hear` reads it. It answers each line with the bit that it read, or with `-` and the reason if the way is closed.

A way has a method `tell_`, a method `hear_`, and may have one `watch_`. They need only the standard library.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

from bourre_referee.diagnostics.attacks.covert_files import FileWays
from bourre_referee.diagnostics.attacks.covert_kernel import KernelWays


class Ways(FileWays, KernelWays):
    """This program's ends of all channels."""


OPEN = ("cold_pages",)
"""The channels that no sandbox closes between two bots at once. Only a control group closes them between one's own."""
WAYS = tuple(sorted({name.removeprefix("hear_") for name in dir(Ways) if name.startswith("hear_")} - {*OPEN}))
LASTING = tuple(way for way in WAYS if not hasattr(Ways, f"watch_{way}"))
"""The channels by which something could outlast the bot that told it."""


def answer(ways: Ways, line: str) -> str:
    """Obeys a line, and returns the answer."""
    verb, way, bit, *value = line.split()
    if verb != "hear":
        ways.release()
    act: Callable[..., str | None] = getattr(ways, f"{verb}_{way}", lambda *_: None)
    try:
        return act(int(bit), *(word == "1" for word in value)) or "done"
    except OSError as error:
        return f"- {error.strerror}"


def main() -> None:
    """Obeys the referee's lines until it hangs up."""
    with socket.socket(socket.AF_UNIX) as referee:
        referee.connect(os.environ["BOURRE_ADDRESS"].removeprefix("unix:"))
        ways, lines = Ways(), referee.makefile("rw")
        for line in lines:
            print(answer(ways, line), file=lines, flush=True)


if __name__ == "__main__":
    main()
