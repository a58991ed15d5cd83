"""How often a remote bot may come on a ladder: each time is two lines of a log that is kept for ever."""

from __future__ import annotations

from datetime import datetime, timedelta

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
