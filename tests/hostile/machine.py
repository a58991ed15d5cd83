"""Which levels of isolation the machine has that the tests run on."""

from __future__ import annotations

from bourre_referee.spec import Level


def levels_here() -> tuple[Level, ...]:
    """The levels under which the hostile bots are played here."""
    return (Level.NONE,)
