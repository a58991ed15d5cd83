"""Events of chips that move, or stay in the pot."""

from __future__ import annotations

from dataclasses import dataclass


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
