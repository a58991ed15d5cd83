"""Plays the contests of a submission, each within the time of the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import Interrupted
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.executor import MakeExecutor
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.progress import Watch
from bourre_referee.storage.run.run import Run


class OutOfTime(Exception):
    """Raised when a contest of a submission takes longer than the plan allows."""


Play = Callable[[Contest, Path], Run]
"""Plays or continues a contest in a run folder."""


@dataclass(frozen=True, slots=True)
class Player:
    """Plays a contest within some minutes. It raises OutOfTime and the errors of `run`."""

    minutes: float
    executor: MakeExecutor
    watch: Watch

    def __call__(self, contest: Contest, folder: Path) -> Run:
        with Stop() as stop, _stop_after(self.minutes * 60, stop):
            try:
                return run(contest, folder, watch=self.watch, executor=self.executor, stop=stop)
            except Interrupted as error:
                if stop.asked:
                    raise
                raise OutOfTime from error


@contextmanager
def _stop_after(seconds: float, stop: Stop) -> Iterator[None]:
    timer = Timer(seconds, stop.call_off)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
