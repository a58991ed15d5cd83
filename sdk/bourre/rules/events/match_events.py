"""Events of a match as a whole: who deals, how each deal and the match end, and what the referee causes."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.actions import Fault
from bourre.rules.cards import Card


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card for the first deal (R1.3)."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"seat {self.seat} draws {self.card} for the deal"


@dataclass(frozen=True, slots=True)
class TurnForfeited:
    """The deal reached a seat that owes a turn, and passed it over (R1.4)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} forfeits its turn to deal (R1.4)"


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A new deal began; deals are numbered from 1."""

    deal: int
    dealer: int

    def __str__(self) -> str:
        return f"deal {self.deal}: seat {self.dealer} deals"


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal was settled; balances and pot add up to 0 (R7.5)."""

    deal: int
    balances: tuple[int, ...]
    pot: int

    def __str__(self) -> str:
        return f"deal {self.deal} ends: balances {' '.join(f'{chips:+d}' for chips in self.balances)}, pot {self.pot}"


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ended; the balances add up to 0."""

    balances: tuple[int, ...]

    def __str__(self) -> str:
        return f"the match ends: {' '.join(f'{chips:+d}' for chips in self.balances)}"


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot's answer was late, unreadable, unasked or missing."""

    seat: int
    fault: Fault

    def __str__(self) -> str:
        return f"seat {self.seat} is at fault: {self.fault.replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class DealForfeited:
    """An answer given before it was asked for cost a seat its next turn to deal (R4.7)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} answered before it was asked and forfeits its next turn to deal (R4.7)"


@dataclass(frozen=True, slots=True)
class HouseTookOver:
    """The house plays this seat from here on: it passes if it may, else stands pat and plays the lowest legal card."""

    seat: int

    def __str__(self) -> str:
        return f"the house plays seat {self.seat} from here on"
