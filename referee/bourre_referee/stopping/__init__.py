"""When two bots have played enough to say which is better: pure, and honest however often one looks."""

from bourre_referee.stopping.boundary import LEVEL, PILOT, RATIO, Verdict, always95, boundary, verdict
from bourre_referee.stopping.needed import blocks_needed
from bourre_referee.stopping.neighbours import Neighbours, neighbours

__all__ = [
    "LEVEL",
    "PILOT",
    "RATIO",
    "Neighbours",
    "Verdict",
    "always95",
    "blocks_needed",
    "boundary",
    "neighbours",
    "verdict",
]
