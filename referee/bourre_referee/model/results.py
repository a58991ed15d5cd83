"""The results of matches. Ratings and standings are computed from these facts alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from bourre.record.counters import SeatCounts


class PickledByFields:
    """Pickles a dataclass by its fields in order. Python's own way takes several times as long to read."""

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class SeatResult(PickledByFields):
    """The result of one seat in a match."""

    bot: str
    chips: int
    """The final balance, including its share of the remaining pot (R7.6)."""
    rank: int
    """1 is best. Equal chips give equal ranks."""
    wins: int
    """Deals whose pot the seat won."""
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    """Deals in which the stand-in made at least one decision for the seat."""
    reneges_by_rule: tuple[tuple[str, int], ...] = ()
    """The number of reneges that broke each rule first, in the order of the rule ids."""

    def __post_init__(self) -> None:
        if min(self.wins, self.bourres, self.reneges, self.faults, self.house_deals) < 0:
            raise ValueError(f"a count cannot be negative: {self}")
        if self.reneges_by_rule and sum(times for _, times in self.reneges_by_rule) != self.reneges:
            raise ValueError(f"the reneges by rule do not add up to {self.reneges} reneges: {self.reneges_by_rule}")


def seat_result(bot: str, chips: int, rank: int, tally: SeatCounts) -> SeatResult:
    """Makes the result of a seat from its counts."""
    return SeatResult(
        bot=bot,
        chips=chips,
        rank=rank,
        wins=tally.wins,
        bourres=tally.bourres,
        reneges=tally.reneges.total(),
        faults=tally.faults.total(),
        house_deals=tally.house_deals,
        reneges_by_rule=tuple(sorted(tally.reneges.items())),
    )


def is_no_show(deals: int, house_deals: int) -> bool:
    """Whether the stand-in played more than half of a bot's deals, so that the results are not the bot's."""
    return 2 * house_deals > deals


class Counts(NamedTuple):
    """One bot's counts in several seats: the last fields of a SeatResult."""

    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    reneges_by_rule: tuple[tuple[str, int], ...]


def counts_of(seats: Sequence[SeatResult]) -> Counts:
    """Adds up the counts of these seats."""
    by_rule: Counter[str] = Counter()
    for seat in seats:
        by_rule.update(dict(seat.reneges_by_rule))
    return Counts(
        wins=sum(seat.wins for seat in seats),
        bourres=sum(seat.bourres for seat in seats),
        reneges=sum(seat.reneges for seat in seats),
        faults=sum(seat.faults for seat in seats),
        house_deals=sum(seat.house_deals for seat in seats),
        reneges_by_rule=tuple(sorted(by_rule.items())),
    )


@dataclass(frozen=True, slots=True)
class DealResult(PickledByFields):
    """The result of one deal of a duplicate match over all its seatings, by the match's seats."""

    chips: tuple[int, ...]
    """Chips by seat, in the match's parts of a chip."""
    luck: tuple[int, ...]
    """The luck of the draw by seat, in 1/32 of those parts (`bourre_referee.luck`). Empty while it is unknown."""

    def luck_of(self, seat: int) -> int:
        """Returns the luck of a seat. Unknown luck counts as 0, which favours nobody."""
        return self.luck[seat] if self.luck else 0


@dataclass(frozen=True, slots=True)
class MatchResult(PickledByFields):
    """The result of a match. Raises ValueError if chips do not add up, or if ranks do not follow from chips."""

    match: str
    deals: int
    seats: tuple[SeatResult, ...]
    unit: int = 1
    """The number of parts of a chip, which `chips` counts; 840 in format `duplicate`."""
    blocks: tuple[DealResult, ...] = ()
    """The results of the deals, each over all seatings; only in format `duplicate`."""

    @property
    def playings(self) -> int:
        """The number of deals that each bot played, counting each seating."""
        return self.deals * len(self.seats) if self.blocks else self.deals

    def is_by_stand_in(self, seat: SeatResult) -> bool:
        """Returns whether a stand-in played most deals of this seat, so that its result is not the bot's."""
        return is_no_show(self.playings, seat.house_deals)

    def __post_init__(self) -> None:
        self._check_blocks()
        if self.deals < 1:
            raise ValueError(f"match {self.match} has {self.deals} deals: a result needs 1 or more")
        if self.unit < 1:
            raise ValueError(f"match {self.match} divides a chip into {self.unit} parts: there must be 1 or more")
        if len({seat.bot for seat in self.seats}) < max(2, len(self.seats)):
            names = ", ".join(seat.bot for seat in self.seats)
            raise ValueError(f"match {self.match} needs two or more bots, each in one seat, not: {names}")
        chips = [seat.chips for seat in self.seats]
        if sum(chips) != 0:
            raise ValueError(f"the chips of match {self.match} add up to {sum(chips)}, not to 0: {chips}")
        ranks = tuple(seat.rank for seat in self.seats)
        if ranks != ranks_of(chips):
            raise ValueError(f"match {self.match}: chips {chips} make ranks {ranks_of(chips)}, not {ranks}")

    def _check_blocks(self) -> None:
        if not self.blocks:
            return
        if len(self.blocks) != self.deals:
            raise ValueError(f"match {self.match} has {self.deals} deals, but {len(self.blocks)} results of deals")
        sizes = {len(block.chips) for block in self.blocks} | {len(block.luck) for block in self.blocks if block.luck}
        if sizes != {len(self.seats)}:
            raise ValueError(f"match {self.match}: a deal's result does not have {len(self.seats)} seats")
        if any(sum(block.chips) or sum(block.luck) for block in self.blocks):
            raise ValueError(f"match {self.match}: the chips, or the luck, of a deal do not add up to 0")
        for number, seat in enumerate(self.seats):
            won = sum(block.chips[number] for block in self.blocks)
            if won != seat.chips:
                raise ValueError(f"match {self.match}: {seat.bot} has {seat.chips}, but {won} in all its deals")


def ranks_of(chips: Sequence[int]) -> tuple[int, ...]:
    """Returns ranks starting at 1. Equal chips give equal ranks, such as 1 2 2 4."""
    best_first = sorted(chips, reverse=True)
    return tuple([1 + best_first.index(own) for own in chips])


@dataclass(slots=True)
class Turnout:
    """Each bot's number of deals, and how many of them the stand-in played."""

    deals: Counter[str] = field(default_factory=Counter)
    house_deals: Counter[str] = field(default_factory=Counter)

    def add(self, match: MatchResult) -> None:
        """Adds one match."""
        for seat in match.seats:
            self.deals[seat.bot] += match.playings
            self.house_deals[seat.bot] += seat.house_deals

    @property
    def no_shows(self) -> frozenset[str]:
        """Returns the bots that are no-shows in the total of these matches."""
        return frozenset(bot for bot, deals in self.deals.items() if is_no_show(deals, self.house_deals[bot]))


def no_shows(results: Iterable[MatchResult]) -> frozenset[str]:
    """Returns the bots that are no-shows in the total of these matches."""
    turnout = Turnout()
    for match in results:
        turnout.add(match)
    return turnout.no_shows
