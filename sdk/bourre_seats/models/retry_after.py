"""The header `Retry-After`, in which a server asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_PAUSE_S = 86_400.0
"""The longest pause: no match lasts longer."""


def pause_s(text: str | None, now: datetime) -> float:
    """Reads seconds or a date. No header, or neither of the two, means no particular pause."""
    try:
        seconds = float(text or 0)
    except ValueError:
        seconds = _until(text or "", now)
    return min(max(0.0, seconds), LONGEST_PAUSE_S)


def _until(text: str, now: datetime) -> float:
    try:
        at = parsedate_to_datetime(text)
        return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    except (ValueError, OverflowError):  # it is no date
        return 0.0
