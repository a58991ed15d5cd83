"""The log of a ladder as it is stored, which several processes append to and follow."""

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
    """The lines of a log; the text of this object is what messages call the log.

    Every method raises ContestError if the lines cannot be read or written. A position is where a line ends; 0 is where
    the first one begins.
    """

    def read_after(self, position: int) -> Iterator[tuple[bytes, int]]:
        """Yields the lines after this position, each with its line break, and the position after it."""

    def lock(self) -> AbstractContextManager[None]:
        """Keeps others from appending inside the block."""

    def append(self, lines: Sequence[str], position: int) -> int:
        """Stores these lines, with their line breaks, after the last one, which ends at `position`: all, or none.

        Returns the position after them. Call it with the lock held, after all lines were read.
        """


def utc_now() -> datetime:
    """Returns the time on this machine's clock."""
    return datetime.now(UTC)


def log_time(time: datetime) -> str:
    """Returns a time as the log has it, to the second."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


class SharedLog:
    """A log and the state that it comes to, both as far as they were read; nothing is read twice.

    Every method raises ContestError if the log is damaged or cannot be used.
    """

    def __init__(self, lines: LogStorage, now: Callable[[], datetime] = utc_now) -> None:
        self._lines = lines
        self._now = now
        self._delivered = 0
        """How many events `read_new` has returned."""
        self._forget()

    def _forget(self) -> None:
        self.state = LadderState()
        """What the events come to; another object after an append has failed."""
        self._reader = LogReader()
        self._news: list[Logged] = []
        self._position = self._size = 0

    @property
    def head(self) -> str:
        """The hash of the last line read, which commits to all before it."""
        return self._reader.head

    @property
    def events(self) -> int:
        """How many events were read."""
        return self._reader.lines

    @property
    def size(self) -> int:
        """How many bytes were read, to the end of a line."""
        return self._size

    def read_new(self) -> list[Logged]:
        """Returns the events that were appended since the last call, by this process or another, in order."""
        self.read()
        news, self._news = self._news, []
        self._delivered += len(news)
        return news

    @contextmanager
    def appending(self) -> Iterator[Tail]:
        """Reads what is new and yields the end of the log, where no other process appends meanwhile.

        Events appended to it are stored when the block ends; all of them or, if it raises, none.
        """
        self.read()  # so that others wait only for what is appended meanwhile
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
        """Takes what was appended into the state; `read_new` returns it later."""
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
    """The end of a log, while nobody else appends to it."""

    def __init__(self, state: LadderState, head: str, now: Callable[[], datetime]) -> None:
        self.state = state
        """The state after all events, with those appended here."""
        self.lines: list[str] = []
        """The lines appended here."""
        self.events: list[Logged] = []
        """What they say."""
        self._writer = LogWriter(head)
        self._now = now

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self._writer.head

    def append(self, event: Event) -> None:
        """Appends an event that happens now; raises LadderError if it cannot have happened."""
        self.state.apply(event)
        logged = Logged(log_time(self._now()), event)
        self.events.append(logged)
        self.lines.append(f"{self._writer.line(logged.event, logged.at)}\n")
