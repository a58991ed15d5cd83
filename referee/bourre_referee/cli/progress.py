"""Progress on stderr: a bar in a terminal, elsewhere a plain line every so often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Column

from bourre_referee.cli.exit_codes import tell
from bourre_referee.runner.progress import Progress
from bourre_referee.text.names import printable


@dataclass(frozen=True, slots=True)
class Pace:
    """Since this run began; what an earlier run had finished does not count."""

    matches: int
    deals: int
    left: int
    """Matches still to be played."""
    seconds: float

    def __str__(self) -> str:
        if not self.matches or not self.seconds:
            return ""
        rates = f"{self.matches / self.seconds:.1f} matches/s, {self.deals / self.seconds:.0f} deals/s"
        return f"{rates}, {duration(self.left * self.seconds / self.matches)} left" if self.left else rates


class Stopwatch:
    """Measures the pace from the moment it is made."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = clock()

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return self._clock() - self._began

    def pace(self, progress: Progress) -> Pace:
        """The pace of this run up to now."""
        matches = progress.done - progress.resumed
        deals = progress.deals * matches // progress.done if progress.done else 0
        return Pace(matches, deals, progress.total - progress.done, self.seconds)


def duration(seconds: float) -> str:
    """A time in words: `42 s`, `3 min 05 s`, `2 h 07 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


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


Advance = Callable[[str, int, int], None]
"""Hears the step, how much of it is done, and how much there is to do."""


@contextmanager
def steps() -> Iterator[Advance]:
    """Shows what it hears."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _tell_step
        return
    bar = Bars(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("", visible=False)
        yield lambda step, done, total: bar.update(task, description=step, completed=done, total=total, visible=True)


def _tell_step(step: str, done: int, total: int) -> None:
    if not done:
        tell(f"{step}: {total} matches")
