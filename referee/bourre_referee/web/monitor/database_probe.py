"""Asks a ladder's storage at intervals whether it answers, apart from the host, which may be waiting for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from bourre.rules.errors import BourreError

EVERY_S = 5.0
"""The seconds from one answer to the next question."""


@dataclass(frozen=True, slots=True)
class StorageAnswer:
    """The last answer of the storage."""

    is_up: bool
    took_s: float
    trouble: str = ""
    """Why it cannot be used, in one line."""


class DatabaseProbe:
    """Knows whether the storage answers."""

    def __init__(self, check: Callable[[], None], every_s: float = EVERY_S) -> None:
        """`check` raises BourreError or OSError if the storage cannot be used."""
        self._check = check
        self._every_s = every_s
        self._ended = Event()
        self.answer = StorageAnswer(False, 0.0, "the storage was not asked yet")
        """The last answer."""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Asks at intervals, in a thread, until the end of the block."""
        thread = Thread(target=self._ask_again, name="probes the database", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()

    def ask(self) -> None:
        """Asks once."""
        self.answer = self._ask()

    def _ask_again(self) -> None:
        self.ask()
        while not self._ended.wait(self._every_s):
            self.ask()

    def _ask(self) -> StorageAnswer:
        began = monotonic()
        try:
            self._check()
        except (BourreError, OSError) as error:
            return StorageAnswer(False, monotonic() - began, str(error).partition("\n")[0])
        return StorageAnswer(True, monotonic() - began)
