"""Work in the background, which leaves the machine to the bots: threads, pauses, and documents made by processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from typing import NamedTuple

from bourre_referee.model.errors import ContestError

LONGEST_S = 60.0

Start = Callable[[Callable[[], None]], None]
"""Runs a task in the background."""


def start_thread(task: Callable[[], None]) -> None:
    """Runs a task in the background."""
    Thread(target=task, daemon=True).start()


class Cooldown:
    """A pause that lasts a multiple of the time of the work before it, but at most a minute."""

    def __init__(self, factor: float, clock: Callable[[], float]) -> None:
        """`clock` returns seconds."""
        self._factor = factor
        self._clock = clock
        self._until: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether work may begin."""
        return self._until is None or self._clock() >= self._until

    @contextmanager
    def after(self) -> Iterator[None]:
        """Times the work inside, even if it fails. The pause begins at its end."""
        began = self._clock()
        try:
            yield
        finally:
            ended = self._clock()
            self._until = ended + min(self._factor * (ended - began), LONGEST_S)


class Background:
    """Runs one task at a time, with a `Cooldown` after each. It is thread-safe."""

    def __init__(self, factor: float, clock: Callable[[], float] = time.monotonic, start: Start = start_thread) -> None:
        """`start` runs a task in the background. `clock` returns seconds."""
        self._cooldown = Cooldown(factor, clock)
        self._start = start
        self._running = Lock()

    @property
    def is_busy(self) -> bool:
        """Whether a task runs."""
        return self._running.locked()

    @property
    def is_free(self) -> bool:
        """Whether a task may begin."""
        return not self.is_busy and self._cooldown.is_over

    def begin(self, task: Callable[[], object]) -> bool:
        """Begins a task, unless another runs or the pause after one lasts. Returns whether it has begun."""
        begins = self._cooldown.is_over and self._running.acquire(blocking=False)
        if begins:
            self._start(lambda: self._run(task))
        return begins

    def _run(self, task: Callable[[], object]) -> None:
        try:
            with self._cooldown.after():
                task()
        finally:
            self._running.release()


class Document(NamedTuple):
    """A document, or the reason why there is none."""

    tag: str
    """The state of the run for which it was made. The run may already have had a few more matches."""
    text: str
    trouble: str


class CachedDocument:
    """Makes one document at a time. It is thread-safe."""

    def __init__(
        self,
        make: Callable[[], tuple[str, str]],
        rest: float,
        clock: Callable[[], float] = time.monotonic,
        start: Start = start_thread,
    ) -> None:
        """`make` returns the document, or the reason why there is none. A pause of `rest` times its time follows."""
        self._make_text = make
        self._background = Background(rest, clock, start)
        self._making = Lock()
        self._newest: Document | None = None

    def wait_for(self, tag: str) -> Document:
        """Returns the document for the state with this tag, and waits until it is made. Use it for small runs."""
        with self._making:
            if self._newest is None or self._newest.tag != tag:
                self._newest = self._make(tag)
            return self._newest

    def newest(self, tag: str) -> Document | None:
        """Returns the newest document, or None if there is none, and begins to make one for the state with this tag.

        While that is made, and during the pause after it, the document before is returned.
        """
        if self._newest is None or self._newest.tag != tag:
            self._background.begin(lambda: self.wait_for(tag))
        return self._newest

    def _make(self, tag: str) -> Document:
        try:
            return Document(tag, *self._make_text())
        except ContestError as error:
            return Document(tag, "", str(error))
