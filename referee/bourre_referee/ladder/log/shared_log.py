"""The stored log of a ladder, to which several processes append and which they follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Protocol

from bourre_referee.ladder.log.event_log import Logged, LogReader, LogWriter
from bourre_referee.ladder.log.events import Event, LadderError
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError


class LogStorage(Protocol):
    """The lines of a log. `str` gives the log's name in messages.

    Every method raises ContestError if the lines cannot be read or written. A position is the end of a line, and 0 the
    start of the first one.
    """

    def read_after(self, position: int) -> Iterator[tuple[bytes, int]]:
        """Yields the lines after this position, each with its line break, and the position after it."""

    def lock(self) -> AbstractContextManager[None]:
        """Keeps other processes from appending inside the block."""

    def append(self, lines: Sequence[str], position: int) -> int:
        """Stores all of these lines, or none, after the last one, which ends at `position`.

        Returns the position after them. Call it with the lock, after reading all lines.
        """


def utc_now() -> datetime:
    """Returns the time on this machine's clock."""
    return datetime.now(UTC)


def log_time(time: datetime) -> str:
    """Returns a time in the log's format, to the second."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


class SharedLog:
    """A log and its state, up to the last line read. It reads each line once.

    Every method raises ContestError if the log is damaged or cannot be used.
    """

    def __init__(self, lines: LogStorage, now: Callable[[], datetime] = utc_now) -> None:
        self._lines = lines
        self._now = now
        self._delivered = 0
        """The number of events that `read_new` has returned."""
        self._forget()

    def _forget(self) -> None:
        self.state = LadderState()
        """The state after the events. A failed append replaces this object."""
        self._reader = LogReader()
        self._news: list[Logged] = []
        self._position = self._size = 0

    @property
    def head(self) -> str:
        """The hash of the last line read, which commits to all earlier lines."""
        return self._reader.head

    @property
    def events(self) -> int:
        """The number of events read."""
        return self._reader.lines

    @property
    def size(self) -> int:
        """The number of bytes read, to the end of a line."""
        return self._size

    def read_new(self) -> list[Logged]:
        """Returns the events since the last call, from any process, in order."""
        self.read()
        news, self._news = self._news, []
        self._delivered += len(news)
        return news

    @contextmanager
    def appending(self) -> Iterator[Tail]:
        """Reads new lines, and yields the end of the log, which is locked inside the block.

        The appended events are stored when the block ends. If it raises, none is stored.
        """
        self.read()  # before the lock, so that others wait less
        with self._lines.lock():
            self.read()
            tail = Tail(self.state, self._reader.head, self._now)
            try:
                yield tail
                if tail.lines:
                    self._position = self._lines.append(tail.lines, self._position)
            except BaseException:
                if tail.lines:
                    self._forget()  # its state is ahead of the log
                raise
            self._note(tail)

    def _note(self, tail: Tail) -> None:
        self._reader.head, self._reader.lines = tail.head, self._reader.lines + len(tail.lines)
        self._size += sum(map(len, tail.lines))
        self._news += tail.events

    def read(self) -> None:
        """Applies new events to the state. `read_new` returns them later."""
        for line, end in self._lines.read_after(self._position):
            self._take(line)
            self._position = end

    def _take(self, line: bytes) -> None:
        try:
            logged = self._reader.read(line.decode(errors="replace").removesuffix("\n"))
            self.state.apply(logged.event)
        except LadderError as error:
            self._forget()
            raise ContestError(f"{self._lines}: {error}") from error
        self._size += len(line)
        if self._reader.lines > self._delivered:
            self._news.append(logged)


class Tail:
    """The end of a log, locked for appending."""

    def __init__(self, state: LadderState, head: str, now: Callable[[], datetime]) -> None:
        self.state = state
        """The state after all events, including those appended here."""
        self.lines: list[str] = []
        """The lines appended here."""
        self.events: list[Logged] = []
        """The events of these lines."""
        self._writer = LogWriter(head)
        self._now = now

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self._writer.head

    def append(self, event: Event) -> None:
        """Appends an event at the present time. Raises LadderError if the event is impossible."""
        self.state.apply(event)
        logged = Logged(log_time(self._now()), event)
        self.events.append(logged)
        self.lines.append(f"{self._writer.line(logged.event, logged.at)}\n")
