"""Events that the referee causes: faults, forfeited deals, seats handed over to the house."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.actions import Fault


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot's answer was late, unreadable, unasked or missing."""

    seat: int
    fault: Fault

    def __str__(self) -> str:
        return f"seat {self.seat} is at fault: {self.fault.replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class DealForfeited:
    """A premature announcement cost a seat its next turn to deal (R4.7)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} announced prematurely and forfeits its next turn to deal (R4.7)"


@dataclass(frozen=True, slots=True)
class HouseTookOver:
    """The house plays this seat from here on: it passes if it may, else stands pat and plays the lowest legal card."""

    seat: int

    def __str__(self) -> str:
        return f"the house plays seat {self.seat} from here on"
