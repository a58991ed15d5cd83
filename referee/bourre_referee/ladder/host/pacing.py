"""Ends rooms that the host fails in a row ever later, so that a host that fails them all fills no log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from bourre_referee.storage.files.child_process import FIRST_S, LONGEST_S

AT_ONCE = 10
"""So many times in a row a bot that comes is there at once."""

EVERY = timedelta(minutes=6)
"""Then it is there again once so much time has passed for each of its arrivals: at most 250 in any 24 hours."""


class Arrivals:
    """Lets bots that come and go again and again count as there only so often; that they left counts at once."""

    def __init__(self) -> None:
        self._paid_until: dict[str, datetime] = {}

    def admit(self, bot: str, now: datetime) -> bool:
        """Whether a bot that is connected counts as there from now on; call it again later if not."""
        paid = max(self._paid_until.get(bot, now), now)
        if paid - now > (AT_ONCE - 1) * EVERY:
            return False
        self._paid_until[bot] = paid + EVERY
        return True


class FailedRooms:
    """Holds rooms that the host failed until they may end, or until any room is finished.

    So a bot with which every room fails delays those that sit with it, and nobody else.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._held: dict[str, str] = {}
        """Why each room failed, by name."""
        self._pause = 0.0
        self._since: datetime | None = None
        """When the pause began; None if no room failed since one was finished."""

    @property
    def slots(self) -> int:
        """How many rooms may begin fewer: all that wait but one, since one bot makes at most one wait."""
        return max(0, len(self._held) - 1)

    def hold(self, name: str, reason: str, now: datetime) -> None:
        """Holds a room: not at all, if the last one was finished, and else twice as long as the last time."""
        if self._is_over(now):
            self._pause = 0.0 if self._since is None else min(max(FIRST_S, 2 * self._pause), LONGEST_S)
            self._since = now
            if self._pause == FIRST_S:
                self._tell(
                    f"rooms fail one after the other: they end ever later, up to {LONGEST_S:.0f} s, until one is played"
                )
        self._held[name] = reason

    def forgive(self) -> None:
        """Lets all end at once, because a room was finished."""
        self._pause, self._since = 0.0, None

    def over(self, now: datetime) -> Iterator[tuple[str, str]]:
        """Yields the rooms that end now, and why they failed."""
        while self._held and self._is_over(now):
            yield self._held.popitem()

    def _is_over(self, now: datetime) -> bool:
        """Whether no pause lasts; one that began in the future does not, since the clock was set back."""
        return self._since is None or not self._since <= now < self._since + timedelta(seconds=self._pause)
