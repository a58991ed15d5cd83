"""Warns an author whose bot starts copies of itself while it plays, which break its connection or end it."""

from __future__ import annotations

import os
import sys
from types import FrameType

from bourre.bot import Bot
from bourre.bot_code.lookalike_methods import WARNING_PREFIX

FORKED = "starts a copy of the running bot (a fork)"
"""What the warning says after the place."""
_WHY = "which breaks its connection to the referee. hint: remove it before you run this file anywhere"


def warn_of_forks(bot: type[Bot]) -> None:
    """From now on, prints on stderr the first line of the bot's file that forks. Call it once in a program."""
    if hasattr(os, "register_at_fork"):  # not on Windows, which has no forks
        os.register_at_fork(before=_ForkWatch(bot).tell)


class _ForkWatch:
    """Remembers that it has warned, also in the copies."""

    def __init__(self, bot: type[Bot]) -> None:
        self._module = bot.__module__
        self._told = False

    def tell(self) -> None:
        """Prints the warning, once, if a line of the bot's file is running."""
        frame: FrameType | None = sys._getframe()
        while frame and frame.f_globals.get("__name__") != self._module:
            frame = frame.f_back
        if frame and not self._told:
            from bourre.bot_code.source_place import place  # seldom needed, and slow to load

            self._told = True
            at = place(frame.f_code.co_filename, frame.f_lineno)
            print(f"{WARNING_PREFIX}{at} {FORKED}, {_WHY}", file=sys.stderr, flush=True)
