"""Tells an author the line at which a decision stands when its time is over."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bourre.connection.answer_tasks import answers_concurrently
from bourre.connection.bot_tables import Tables
from bourre.messages import Ask

_LOOK_EVERY = 0.05
"""The least number of seconds between two looks."""


@contextmanager
def tell_where_late(tables: Tables) -> Iterator[None]:
    """Inside, prints where the bot is each time that a decision outlasts its time. Call it in the bot's thread."""
    watch = _LateWatch(tables, threading.get_ident())
    watch.start()
    try:
        yield
    finally:
        watch.over.set()


class _LateWatch(threading.Thread):
    """Looks at the bot's thread when the time of its decision is over, so that a decision itself costs nothing."""

    def __init__(self, tables: Tables, watched: int) -> None:
        super().__init__(name="bourre late watch", daemon=True)
        self.over = threading.Event()
        self._tables = tables
        self._watched = watched
        self._told: Ask | None = None

    def run(self) -> None:
        """Looks until the connection ends."""
        while not self.over.wait(self._look()):
            pass

    def _look(self) -> float:
        """Tells of a decision that has just become late, and returns the seconds until the next look."""
        pause = max(_LOOK_EVERY, self._tables.decision_ms / 2000)
        thinking = self._tables.thinking
        if thinking is None or thinking[1] is self._told:
            return pause
        bot, ask, began = thinking
        allowed = ask.allowed_ms(self._tables.decision_ms) / 1000
        left = began + allowed - time.perf_counter()
        if left > 0:
            return min(left, pause)
        self._told = ask
        frame = sys._current_frames().get(self._watched)
        if frame and not answers_concurrently(type(bot)):  # else the thread may be at another table
            from bourre.connection.error_report import print_late  # seldom needed, and slow to load

            print_late(type(bot), ask, frame, allowed)
        return pause
