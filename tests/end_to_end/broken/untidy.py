"""Plays well, but prints more than the log keeps, leaks three megabytes per match, and fails at the end."""

import sys
from contextlib import suppress
from typing import ClassVar

from bourre import Bot, View, run


class Untidy(Bot):
    kept: ClassVar[list[bytearray]] = []

    def declare(self, view: View) -> bool:
        print("thinking aloud \033[31m", "." * 100_000)
        return True

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        self.kept.append(bytearray(b"x" * 3_000_000))


with suppress(SystemExit):
    run(Untidy)
sys.exit(3)
