"""Which levels of isolation the machine has that the tests run on."""

from __future__ import annotations

import sys
from functools import cache

from bourre_referee.model.spec import Entry, Level
from bourre_referee.sandbox.levels import unavailable_reason
from tests.hostile.case import SHARED, isolation


@cache
def lacking(level: Level) -> str | None:
    """Why a level cannot be had here, and the mend, by a real try with an honest bot; None when it can."""
    honest = Entry("honest", (sys.executable, "yardstick.py"), SHARED, ("yardstick.py",))
    return unavailable_reason(isolation(level), [honest])
