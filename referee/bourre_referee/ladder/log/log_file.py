"""The log of a ladder on disk, which several processes append to and follow."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bourre_referee.ladder.log.event_log import LONGEST_LINE, Logged, LogReader, LogWriter
from bourre_referee.ladder.log.events import Event, LadderError
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.untrusted_files import check_regular, open_regular


def utc_now() -> datetime:
    """Returns the time on this machine's clock."""
    return datetime.now(UTC)


def log_time(time: datetime) -> str:
    """Returns a time as the log has it, to the second."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


class LogFile:
    """A log and the state that it comes to, both as far as they were read; nothing is read twice.

    Every method raises ContestError if the log is damaged or cannot be used.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = utc_now) -> None:
        self.path = path
        self._now = now
        self._delivered = 0
        """How many events `read_new` has returned."""
        self._forget()

    def _forget(self) -> None:
        self.state = LadderState()
        """What the events come to; another object after an append has failed."""
        self._reader = LogReader()
        self._news: list[Logged] = []
        self._size = 0

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

        Events appended to it are on disk when the block ends; all of them or, if it raises, none.
        """
        self.read()  # so that others wait only for what is appended meanwhile
        with self._locked():
            self.read()
            self._cut_unfinished_line()
            tail = Tail(self.state, self._reader.head, self._now)
            try:
                yield tail
                if tail.lines:
                    self._write("".join(tail.lines).encode())
            except BaseException:
                if tail.lines:
                    self._forget()  # its state is ahead of the file
                raise
            self._note(tail)

    def _note(self, tail: Tail) -> None:
        self._reader.head, self._reader.lines = tail.head, self._reader.lines + len(tail.lines)
        self._news += tail.events

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self.path.with_name(f"{self.path.name}.lock")
        check_regular(lock)
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise ContestError(f"{lock}: cannot be written ({error.strerror}): check its permissions") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def read(self) -> None:
        """Takes what was appended into the state; `read_new` returns it later."""
        try:
            with open_regular(self.path) as file:
                if os.fstat(file.fileno()).st_size < self._size:
                    raise ContestError(f"{self.path}: it became shorter: restore the log as it was, and start again")
                file.seek(self._size)
                while (line := file.readline(LONGEST_LINE + 1)).endswith(b"\n"):
                    self._take(line)
                if len(line) > LONGEST_LINE:
                    self._take(line)
        except OSError as error:
            raise ContestError(
                f"{self.path}: cannot be read ({error.strerror}): give the folder of a ladder"
            ) from error

    def _take(self, line: bytes) -> None:
        try:
            logged = self._reader.read(line.decode(errors="replace").removesuffix("\n"))
            self.state.apply(logged.event)
        except LadderError as error:
            self._forget()
            raise ContestError(f"{self.path}: {error}") from error
        self._size += len(line)
        if self._reader.lines > self._delivered:
            self._news.append(logged)

    def _cut_unfinished_line(self) -> None:
        """Removes what a process left that was killed while it appended: nobody else writes now."""
        with self.path.open("r+b") as file:
            if os.fstat(file.fileno()).st_size > self._size:
                file.truncate(self._size)

    def _write(self, data: bytes) -> None:
        try:
            with self.path.open("r+b", buffering=0) as file:
                try:
                    file.seek(self._size)
                    _write_all(file.fileno(), data)
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(self._size)
                    raise
        except OSError as error:
            raise ContestError(
                f"{self.path}: cannot be written ({error.strerror}): free some disk space, or check its permissions; "
                "nothing is lost"
            ) from error
        self._size += len(data)


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


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def create_log(path: Path) -> None:
    """Makes an empty log, to which its first events are appended; raises FileExistsError if there is a file."""
    with path.open("xb"):
        pass
