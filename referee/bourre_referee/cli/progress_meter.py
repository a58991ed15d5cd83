"""Progress on stderr: a bar in a terminal, otherwise a plain line now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Column

from bourre_referee.cli.exit_codes import tell
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.text.names import printable


@dataclass(frozen=True, slots=True)
class ProgressRate:
    """Matches played in `seconds`, without those that an earlier run had finished."""

    matches: int
    left: int
    """Matches still to play."""
    seconds: float

    def __str__(self) -> str:
        if not self.matches or not self.seconds:
            return ""
        rate = self.matches / self.seconds
        told = [f"{rate:.1f} matches/s"] if rate >= 1 else []
        return ", ".join([*told, *([f"about {_roughly(self.left / rate)} left"] if self.left else [])])


def _roughly(seconds: float) -> str:
    """Formats a guess: whole seconds, then whole minutes, then hours and minutes."""
    whole = round(seconds)
    return f"{round(whole / 60)} min" if 60 <= whole < 3600 else duration(whole)


class Stopwatch:
    """Measures the pace from its creation on."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = clock()

    @property
    def seconds(self) -> float:
        """Seconds since its creation."""
        return self._clock() - self._began

    def pace(self, progress: Progress) -> ProgressRate:
        """Returns the pace of this run so far."""
        return ProgressRate(progress.done - progress.resumed, progress.total - progress.done, self.seconds)


def duration(seconds: float) -> str:
    """Formats a time: `42 s`, `3 min 05 s`, `2 h 07 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


EVERY_SECONDS = 10
MOST_NAMES = 8
"""How many missing bots are named."""


class Meter(Protocol):
    """Shows progress inside a `with` block; messages stay readable above it."""

    def __enter__(self) -> Meter: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Keeps what was shown last on the screen."""

    def show(self, progress: Progress) -> None:
        """Shows how far the contest is."""

    def say(self, text: str) -> None:
        """Prints a message on a line of its own."""


def meter(console: Console, stopwatch: Stopwatch, *, progress: bool = True) -> Meter:
    """Returns the meter that suits this console; without `progress`, one that only prints messages."""
    if not progress:
        return Quiet(stopwatch)
    return Bar(console, stopwatch) if console.is_terminal else Ticker(stopwatch)


def leaders_in_words(progress: Progress) -> str:
    """Says who is ahead so far; empty before the first match."""
    leaders = progress.leaders()
    return f"ahead: {', '.join(map(printable, leaders))}" if leaders else ""


def presence_in_words(presence: RemotePresence) -> str:
    """Says how many remote bots are here, and whom the contest waits for."""
    here = f"{len(presence.here)} of {len(presence.expected)} remote bots here"
    missing = ", ".join(map(printable, presence.missing[:MOST_NAMES]))
    more = f" and {len(presence.missing) - MOST_NAMES} more" if len(presence.missing) > MOST_NAMES else ""
    return f"{here}, waiting for {missing}{more}" if missing else here


class Bar:
    """A progress bar with the pace beside it."""

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
        presence = progress.presence
        waiting = presence_in_words(presence) if presence and presence.missing else ""
        leaders = "; ".join(filter(None, (waiting, leaders_in_words(progress))))
        self._bars.update(
            self._task, completed=progress.done, total=progress.total, pace=pace, leaders=leaders, visible=True
        )

    def say(self, text: str) -> None:
        """Prints above the bar, without markup, colours or wrapping."""
        self._bars.console.print(f"bourre: {text}", markup=False, highlight=False, soft_wrap=True)


class Ticker:
    """Prints a progress line every EVERY_SECONDS, for logs."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._last_shown = stopwatch.seconds

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Does nothing: there is nothing to clean up."""

    def show(self, progress: Progress) -> None:
        """Prints who came or left, and the progress if it is time."""
        if progress.presence and progress.presence.change:
            self.say(f"{printable(progress.presence.change)}; {presence_in_words(progress.presence)}")
        if self._stopwatch.seconds - self._last_shown >= EVERY_SECONDS:
            self._last_shown = self._stopwatch.seconds
            done = f"{progress.done} of {progress.total} matches"
            pace = str(self._stopwatch.pace(progress))
            self.say(", ".join(filter(None, (done, pace, leaders_in_words(progress)))))

    def say(self, text: str) -> None:
        """Prints a line."""
        tell(text)


class Quiet(Ticker):
    """Prints messages, and shows no progress."""

    def show(self, progress: Progress) -> None:
        """Shows nothing."""


Item = TypeVar("Item")

Advance = Callable[[str, int, int], None]
"""Called with the step, how much of it is done, and how much there is in all."""


@contextmanager
def steps(*, only_in_terminal: bool = False) -> Iterator[Advance]:
    """Yields a function that shows the progress of steps; without a terminal it tells of their beginning at most."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield (lambda *_: None) if only_in_terminal else _tell_step
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


def show_steps(advance: Advance, step: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """Yields these items, and shows how many of them are done."""
    for done, item in enumerate(items):
        advance(step, done, total)
        yield item


def _tell_step(step: str, done: int, total: int) -> None:
    if not done:
        tell(f"{step}: {total} matches")
