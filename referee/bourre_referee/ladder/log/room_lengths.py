"""How long rooms usually last, and how many turns a bot is charged that makes one last longer."""

from __future__ import annotations

from collections import deque
from statistics import median_low

LAST = 201
"""So many of the last rooms say what is usual: few slow bots do not change their median."""

OVERLONG = 3
"""A room that lasts longer than so many usual ones holds up nobody any more."""


class RoomLengths:
    """The lengths of the last rooms of one clock class, in milliseconds."""

    def __init__(self) -> None:
        self._lengths: deque[int] = deque(maxlen=LAST)
        self.usual_ms = 0
        """The usual length; 0 if it is not known."""

    def add(self, took_ms: int) -> None:
        """Takes in the length of a room, if it is known."""
        if took_ms > 0:
            self._lengths.append(took_ms)
            self.usual_ms = median_low(self._lengths)

    @property
    def has_overlong(self) -> bool:
        """Whether one of the last rooms was overlong."""
        return bool(self._lengths) and self.is_overlong(max(self._lengths))

    def is_overlong(self, took_ms: int) -> bool:
        """Whether a room has lasted so long that nobody should wait for its end."""
        return 0 < OVERLONG * self.usual_ms < took_ms

    def rooms(self, took_ms: int) -> int:
        """Returns how many usual rooms could have been played meanwhile, rounded up; at least 1."""
        return max(1, -(-took_ms // self.usual_ms)) if self.usual_ms else 1

    def turns(self, thought_ms: int, seats: int) -> int:
        """Returns how many turns a bot has had that took so long for its decisions at a table of so many seats.

        A usual room has a share of time for each seat. Who takes more than two of them is charged two turns for each
        further one: one for its own seat's time, one because all others at its table are missed elsewhere meanwhile.
        """
        return max(1, 2 * (seats * thought_ms // self.usual_ms) - 3) if self.usual_ms else 1
