"""Practice of trivial bots, timed: rules, views, tally and record, in one process."""

from __future__ import annotations

import time

from bourre.bot import Bot
from bourre.practice import practice
from bourre_referee.diagnostics.bench.bench_matches import SEATS
from bourre_referee.diagnostics.bench.room_speed import decisions_in


def practice_rate(deals: int) -> float:
    """Decisions made in a second."""
    began = time.perf_counter()
    result = practice([Bot] * SEATS, deals=deals, seed=7)
    seconds = time.perf_counter() - began
    return sum(decisions_in(match.record) for match in result.matches) / seconds
