"""Who meets whom, and in which seats: pure arithmetic, even-handed by construction."""

from bourre_referee.schedule.balance import Balance, LineUp, balance_of
from bourre_referee.schedule.plan import Schedule, round_robin, tables

__all__ = ["Balance", "LineUp", "Schedule", "balance_of", "round_robin", "tables"]
