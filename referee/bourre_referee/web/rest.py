"""The rest after work, which leaves the machine to the bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONGEST_S = 60.0


class Rest:
    """A rest that lasts a multiple of the time that the work before it took, but at most a minute."""

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
        """Times the work inside, even if it fails; the rest begins at its end."""
        began = self._clock()
        try:
            yield
        finally:
            ended = self._clock()
            self._until = ended + min(self._factor * (ended - began), LONGEST_S)
