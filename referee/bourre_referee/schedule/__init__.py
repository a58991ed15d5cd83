"""Who meets whom, and in which seats: pure arithmetic, even-handed by construction."""

from bourre_referee.schedule.annealing import Memory, afresh
from bourre_referee.schedule.balance import Balance, LineUp, balance_of
from bourre_referee.schedule.duplicate_seatings import fixed
from bourre_referee.schedule.gauntlet import gauntlet
from bourre_referee.schedule.round_robin import Schedule, round_robin, tables

__all__ = [
    "Balance",
    "LineUp",
    "Memory",
    "Schedule",
    "afresh",
    "balance_of",
    "fixed",
    "gauntlet",
    "round_robin",
    "tables",
]
