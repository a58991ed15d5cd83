"""Events of a match as a whole: who deals, how deals and the match end, what the referee causes, and every chip."""

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


@dataclass(frozen=True, slots=True)
class AntePaid:
    """A seat paid its ante into the pot (R2)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} antes {self.chips}"


@dataclass(frozen=True, slots=True)
class PotTaken:
    """A seat took chips from the pot (R7.1)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} takes {self.chips} from the pot"


@dataclass(frozen=True, slots=True)
class PotCarried:
    """Nobody won the pot alone: the chips left stay in it (R7.2, R8.3). `tied` are the seats with the most tricks."""

    chips: int
    """Chips that stay: all of them, or with `tie = divide` the odd ones, if any."""
    tied: tuple[int, ...]
    played: bool = True
    """False if nobody was in (R4.6)."""

    def __str__(self) -> str:
        barred = "its winner is barred" if self.played else "nobody plays"
        why = f"seats {', '.join(map(str, self.tied))} tie" if self.tied else barred
        return f"{why}: {self.chips or 'nothing'} stays in the pot"


@dataclass(frozen=True, slots=True)
class MatchPaid:
    """A seat matched the pot for bourré (R7.3), for a renege (R8.1), or once for both; it goes into the next pot."""

    seat: int
    chips: int
    bourred: bool
    reneged: bool

    def __str__(self) -> str:
        why = " and ".join(["bourré"] * self.bourred + ["a renege"] * self.reneged)
        return f"seat {self.seat} pays {self.chips} for {why}"


@dataclass(frozen=True, slots=True)
class FinePaid:
    """A seat paid its fines for faults and corrected reneges into the next pot (R8.6)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} pays {self.chips} in fines"


@dataclass(frozen=True, slots=True)
class PotShared:
    """A seat got its share of the pot that the last deal left on the table (R7.6)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} gets {self.chips} of the pot left on the table"
