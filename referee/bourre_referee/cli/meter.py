"""A contest's progress on stderr: a bar in a terminal, elsewhere a plain line every so often."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bars
from rich.table import Column

from bourre_referee.cli.ending import tell
from bourre_referee.cli.pace import Stopwatch
from bourre_referee.runner.progress import Progress
from bourre_referee.text.names import printable

EVERY_SECONDS = 10


class Meter(Protocol):
    """Shows progress while it is entered; what is said on the way stays readable above it."""

    def __enter__(self) -> Meter: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leaves what was shown last."""

    def show(self, progress: Progress) -> None:
        """The contest is here now."""

    def say(self, text: str) -> None:
        """Something worth a line of its own."""


def meter(console: Console, stopwatch: Stopwatch, *, progress: bool = True) -> Meter:
    """The meter that suits this console; without `progress`, one that only says what is worth a line."""
    if not progress:
        return Quiet(stopwatch)
    return Bar(console, stopwatch) if console.is_terminal else Ticker(stopwatch)


def leaders_in_words(progress: Progress) -> str:
    """Who is ahead so far; nothing before the first match."""
    return f"ahead: {', '.join(map(printable, progress.leaders))}" if progress.leaders else ""


class Bar:
    """A bar that grows, with the pace beside it."""

    def __init__(self, console: Console, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._bars = Bars(
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TextColumn("{task.fields[leaders]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=console,
        )
        self._task = self._bars.add_task("", visible=False, pace="", leaders="")

    def __enter__(self) -> Bar:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bars.stop()

    def show(self, progress: Progress) -> None:
        """Moves the bar."""
        pace = str(self._stopwatch.pace(progress))
        leaders = leaders_in_words(progress)
        self._bars.update(
            self._task, completed=progress.done, total=progress.total, pace=pace, leaders=leaders, visible=True
        )

    def say(self, text: str) -> None:
        """Prints above the bar, as it is: no markup, no colours, no wrapping."""
        self._bars.console.print(f"bourre: {text}", markup=False, highlight=False, soft_wrap=True)


class Ticker:
    """A line when some time has gone by since the last one, for logs."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._told = stopwatch.seconds

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leaves nothing to tidy up."""

    def show(self, progress: Progress) -> None:
        """Prints the progress if it is time."""
        if self._stopwatch.seconds - self._told >= EVERY_SECONDS:
            self._told = self._stopwatch.seconds
            pace = f"{progress.done} of {progress.total} matches: {self._stopwatch.pace(progress)}"
            self.say("; ".join(filter(None, (pace, leaders_in_words(progress)))))

    def say(self, text: str) -> None:
        """Prints a line."""
        tell(text)


class Quiet(Ticker):
    """Says what is worth a line, and shows no progress."""

    def show(self, progress: Progress) -> None:
        """Nothing."""
