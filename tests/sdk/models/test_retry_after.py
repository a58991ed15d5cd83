"""The header Retry-After: seconds or a date, within bounds, and nonsense asks for no particular pause."""

from datetime import UTC, datetime

import pytest

from bourre_seats.models.retry_after import LONGEST_PAUSE_S, pause_s

NOW = datetime(2026, 11, 28, 7, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("Sat, 28 Nov 2026 07:00:42 GMT", 42.0),
        ("Sat, 28 Nov 2026 07:00:42 -0000", 42.0),
        ("Sat, 28 Nov 2026 08:00:42 +0100", 42.0),
        ("Sat, 28 Nov 2026 06:59:00 GMT", 0.0),
        ("Sat, 28 Nov 2099 07:00:00 GMT", LONGEST_PAUSE_S),
        ("inf", LONGEST_PAUSE_S),
        ("nan", 0.0),
        ("-3", 0.0),
        ("soon", 0.0),
        ("Sat, 28 Nov 2026 07:00:42 +99999999999999999", 0.0),
        ("Sat, 99 Nov 2026 07:00:42 GMT", 0.0),
        (None, 0.0),
    ],
)
def test_a_pause(header: str | None, seconds: float) -> None:
    assert pause_s(header, NOW) == seconds
