"""The events of a match as a whole: dealers, ends of deals and matches, the referee's acts, and all payments."""

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
    """A seat that owes a turn to deal was passed over (R1.4)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} forfeits its turn to deal (R1.4)"


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A new deal began. Deals are numbered from 1."""

    deal: int
    dealer: int

    def __str__(self) -> str:
        return f"deal {self.deal}: seat {self.dealer} deals"


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal was settled. Balances and pot add up to 0 (R7.5)."""

    deal: int
    balances: tuple[int, ...]
    pot: int

    def __str__(self) -> str:
        return f"deal {self.deal} ends: balances {' '.join(f'{chips:+d}' for chips in self.balances)}, pot {self.pot}"


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ended. The balances add up to 0."""

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
    """A premature answer cost a seat its next turn to deal (R4.7)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} answered before it was asked and forfeits its next turn to deal (R4.7)"


@dataclass(frozen=True, slots=True)
class HouseTookOver:
    """The referee plays this seat from now on. It passes if it may, or stands pat and plays the lowest legal card."""

    seat: int

    def __str__(self) -> str:
        return f"the referee plays seat {self.seat} from now on"


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
    """No seat won the pot alone, so the chips left stay in it (R7.2, R8.3). `tied` are the seats with most tricks."""

    chips: int
    """The chips that stay: all chips, or with `tie = divide` the odd ones."""
    tied: tuple[int, ...]
    played: bool = True
    """False if nobody was in (R4.6)."""

    def __str__(self) -> str:
        barred = "its winner is barred" if self.played else "nobody plays"
        why = f"seats {', '.join(map(str, self.tied))} tie" if self.tied else barred
        return f"{why}: {self.chips or 'nothing'} stays in the pot"


@dataclass(frozen=True, slots=True)
class MatchPaid:
    """A seat matched the pot, into the next one, for bourré (R7.3), for a renege (R8.1), or once for both."""

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
    """A seat got its share of the pot that was left after the last deal (R7.6)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} gets {self.chips} of the pot left on the table"
