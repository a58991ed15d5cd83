"""Balanced schedules: which bots meet, and in which seats."""

from bourre_referee.contest.schedule.annealing import SearchCache, no_cache
from bourre_referee.contest.schedule.balance import Balance, LineUp, measure_balance
from bourre_referee.contest.schedule.duplicate_seatings import fixed_line_ups
from bourre_referee.contest.schedule.gauntlet import gauntlet
from bourre_referee.contest.schedule.round_robin import Schedule, round_robin, round_robin_tables

__all__ = [
    "Balance",
    "LineUp",
    "Schedule",
    "SearchCache",
    "fixed_line_ups",
    "gauntlet",
    "measure_balance",
    "no_cache",
    "round_robin",
    "round_robin_tables",
]
