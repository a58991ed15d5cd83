"""The wire's words for decisions and standings, and its limits for chips."""

from __future__ import annotations

from bourre.rules.actions import Decision
from bourre.v1 import game_pb2 as wire

_MOST = 2**63 - 1


def clamp_to_64_bits(chips: int) -> int:
    """Returns these chips, or the nearest number of 64 bits."""
    return chips if -_MOST <= chips <= _MOST else _MOST if chips > 0 else -_MOST


DECISIONS = {decision: wire.Decision.Value(f"DECISION_{decision.name}") for decision in Decision}
DECISIONS_BY_NUMBER = {number: decision for decision, number in DECISIONS.items()}
STANDINGS = {None: wire.STANDING_UNDECLARED, False: wire.STANDING_PASSED, True: wire.STANDING_IN}
"""The standing of a seat by its declaration; None if it has not declared."""
PLAYS_BY_STANDING = {number: plays for plays, number in STANDINGS.items()}
NOT_DRAWN = -1
"""The number of drawn cards for a seat that has not drawn."""
