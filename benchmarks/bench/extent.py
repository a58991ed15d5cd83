"""How much the bench plays for each figure."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchSpec

SEATS = 5
BOTS = tuple(f"trivial{number}" for number in range(SEATS))


def matches(deals: int, tables: int, seats: int = SEATS) -> tuple[MatchSpec, ...]:
    """Returns one match for each table, always the same ones."""
    return tuple(_match(number, deals, BOTS[:seats]) for number in range(tables))


def _match(number: int, deals: int, bots: tuple[str, ...]) -> MatchSpec:
    turned = number % len(bots)
    line_up = bots[turned:] + bots[:turned]
    return MatchSpec(f"m{number + 1:04}", line_up, HouseRules.preset("limit"), deals, number.to_bytes(32))


@dataclass(frozen=True, slots=True)
class RoomExtent:
    """The extent of a room to time."""

    tables: int
    deals: int
    """Deals at each table."""


MANY = 64
"""The number of tables in the room with which contests and single asks are compared."""
GROWTH = 10
"""How many times as many deals the longer contest has."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much one pair of measurements plays, and how many pairs there are."""

    pairs: int
    quick: bool
    """Whether it is too little for figures worth keeping."""
    rooms: tuple[RoomExtent, ...]
    """The rooms to time; the first has one table, and one has MANY."""
    engine_deals: int
    games: int
    """How many games of OpenSpiel."""
    practice_deals: int
    contest_rounds: int
    contest_deals: int

    @property
    def many(self) -> int:
        """The index of the room with MANY tables."""
        return next(number for number, room in enumerate(self.rooms) if room.tables == MANY)


def full_extent(pairs: int) -> Extent:
    """Returns the extent for figures worth keeping; takes a few minutes."""
    return Extent(
        pairs=pairs,
        quick=False,
        rooms=(RoomExtent(1, 200), RoomExtent(8, 50), RoomExtent(MANY, 16), RoomExtent(256, 8)),
        engine_deals=2000,
        games=2000,
        practice_deals=1000,
        contest_rounds=25,  # 125 matches fill the tables of a room twice; ten times as many take five rooms
        contest_deals=10,
    )


def quick_extent(pairs: int) -> Extent:
    """Returns the extent for a first look."""
    return Extent(
        pairs=pairs,
        quick=True,
        rooms=(RoomExtent(1, 40), RoomExtent(8, 10), RoomExtent(MANY, 4), RoomExtent(256, 2)),
        engine_deals=300,
        games=300,
        practice_deals=150,
        contest_rounds=13,
        contest_deals=4,
    )
