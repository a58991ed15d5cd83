"""How fast a contest goes, and when it will be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from bourre_referee.runner.progress import Progress


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
