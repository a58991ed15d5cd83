"""The progress of something that is done in steps, on stderr: a bar in a terminal, elsewhere a line for each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bourre_referee.cli.ending import tell

Advance = Callable[[str, int, int], None]
"""Hears the step, how much of it is done, and how much there is to do."""


@contextmanager
def steps() -> Iterator[Advance]:
    """Shows what it hears."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _tell_step
        return
    bar = Progress(
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
