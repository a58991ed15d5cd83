"""Slows down arrivals and failed rooms, so that a failing host or a flapping bot does not fill the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from bourre_referee.storage.files.child_process import FIRST_S, LONGEST_S

AT_ONCE = 10
"""The arrivals in a row that count at once."""

EVERY = timedelta(minutes=6)
"""Each further arrival counts after this time, so at most 250 count in any 24 hours."""


class Arrivals:
    """Limits how often a bot that repeatedly comes and goes counts as present. Departures count at once."""

    def __init__(self) -> None:
        self._paid_until: dict[str, datetime] = {}

    def admit(self, bot: str, now: datetime) -> bool:
        """Whether a connected bot counts as present from now on. If not, call it again later."""
        paid = max(self._paid_until.get(bot, now), now)
        if paid - now > (AT_ONCE - 1) * EVERY:
            return False
        self._paid_until[bot] = paid + EVERY
        return True


class FailedRooms:
    """Delays the ends of failed rooms, until their time or until any room is finished.

    So a bot with which every room fails delays only the bots in its rooms.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._held: dict[str, str] = {}
        """Why each room failed, by name."""
        self._pause = 0.0
        self._since: datetime | None = None
        """The start of the pause; None if no room failed since the last finished one."""

    @property
    def slots(self) -> int:
        """The number of slots that failed rooms take: all but one, because one bot delays at most one room."""
        return max(0, len(self._held) - 1)

    def hold(self, name: str, reason: str, now: datetime) -> None:
        """Delays a room: not at all if the last room was finished, otherwise twice as long as the last time."""
        if self._is_over(now):
            self._pause = 0.0 if self._since is None else min(max(FIRST_S, 2 * self._pause), LONGEST_S)
            self._since = now
            if self._pause == FIRST_S:
                self._tell(f"rooms fail one after the other, so pauses grow up to {LONGEST_S:.0f} s until one succeeds")
        self._held[name] = reason

    def forgive(self) -> None:
        """Ends all delays, because a room was finished."""
        self._pause, self._since = 0.0, None

    def over(self, now: datetime) -> Iterator[tuple[str, str]]:
        """Yields the rooms that end now, and why they failed."""
        while self._held and self._is_over(now):
            yield self._held.popitem()

    def _is_over(self, now: datetime) -> bool:
        """Whether the pause is over. A start in the future means that the clock was set back, which ends it."""
        return self._since is None or not self._since <= now < self._since + timedelta(seconds=self._pause)
