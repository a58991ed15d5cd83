"""Facts: how matches ended. Ratings and standings are computed from these alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a match ended for one seat."""

    bot: str
    chips: int
    """The balance at the end, with the share of the pot that was left (R7.6)."""
    rank: int
    """1 is best; equal chips, equal rank."""
    wins: int
    """Deals whose pot the seat took."""
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    """Deals in which the house played the seat, for at least one decision."""
    broken: tuple[tuple[str, int], ...] = ()
    """The rules that its reneges broke first, each with how often, in the order of their ids."""

    def __post_init__(self) -> None:
        if min(self.wins, self.bourres, self.reneges, self.faults, self.house_deals) < 0:
            raise ValueError(f"nothing happens less than 0 times: {self}")
        if self.broken and sum(times for _, times in self.broken) != self.reneges:
            raise ValueError(f"{self.reneges} reneges broke as many rules, not these: {self.broken}")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended. ValueError if that cannot be: chips appear or vanish, ranks are not those of the chips."""

    match: str
    deals: int
    seats: tuple[SeatResult, ...]

    def __post_init__(self) -> None:
        if self.deals < 1:
            raise ValueError(f"match {self.match} has {self.deals} deals: a result takes 1 or more")
        if len({seat.bot for seat in self.seats}) < max(2, len(self.seats)):
            names = ", ".join(seat.bot for seat in self.seats)
            raise ValueError(f"match {self.match} takes two or more bots, each in one seat, not: {names}")
        chips = [seat.chips for seat in self.seats]
        if sum(chips) != 0:
            raise ValueError(f"the chips of match {self.match} add up to {sum(chips)}, not to 0: {chips}")
        ranks = tuple(seat.rank for seat in self.seats)
        if ranks != ranks_of(chips):
            raise ValueError(f"match {self.match}: chips {chips} make ranks {ranks_of(chips)}, not {ranks}")


def ranks_of(chips: Sequence[int]) -> tuple[int, ...]:
    """Ranks from 1; equal chips, equal rank: 1 2 2 4."""
    return tuple(1 + sum(other > own for other in chips) for own in chips)
