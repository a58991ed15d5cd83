"""A finished game, as its page and its terminal show it: the result, the course, and where it was lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bourre.words.table_words import as_signs

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last")


@dataclass(frozen=True, slots=True)
class EndingSeat:
    """The result of one seat."""

    name: str
    chips: int
    rank: int
    """1 is best. Equal chips give equal ranks."""
    you: bool
    """Whether it is the person's seat."""


@dataclass(frozen=True, slots=True)
class DearDecision:
    """A decision of the person that lost chips, as the review judges it."""

    deal: int
    hand: tuple[str, ...]
    """The codes of the cards, in the order in which people hold them."""
    trump: str
    """The code of the trump suit; empty if it was not named yet."""
    situation: str
    """The pot, and the other seats."""
    chosen: str
    better: str
    chips: float
    """The average worth of the chosen one, in chips."""
    cost: float
    """The chips by which the better one is better."""
    error: float
    """The standard error of the cost."""
    step: str
    """The fragment of its moment in the replay."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished game."""

    seats: tuple[EndingSeat, ...]
    """The seats, the best first."""
    entered: int
    """The deals in which the person came in."""
    bourres: int
    """How often the person went bourré."""
    curve: tuple[int, ...]
    """The person's chips after each deal."""
    lost: tuple[DearDecision, ...] | None = None
    """The person's dearest decisions. None until they are judged."""
    decisions: int = 0
    """The number of decisions to judge."""
    judged: int = 0
    """The number of them that are judged."""
    mistakes: int = 0
    """The number of all mistakes."""
    unknown: str = ""
    """Why nothing is judged. Empty if it is."""

    @property
    def heading(self) -> str:
        """The result in a sentence."""
        own = next(seat for seat in self.seats if seat.you)
        shared = sum(seat.rank == own.rank for seat in self.seats) > 1
        place = PLACES[own.rank - 1] if own.rank < len(self.seats) or shared else "last"
        return f"You share {place} place" if shared else f"You finish {place}"


def result_lines(ending: Ending) -> Iterator[str]:
    """Yields the chips of each seat, the best first."""
    for seat in ending.seats:
        yield f"{seat.name:20}{seat.chips:+d}"


def lost_lines(ending: Ending) -> Iterator[str]:
    """Yields where the game was lost: the dearest decisions, with both choices."""
    if ending.unknown:
        yield ending.unknown
    elif not ending.lost:
        yield "The champion finds no mistake of yours."
    else:
        yield "Where it was lost, as the champion judges it:"
    for one in ending.lost or ():
        trump = f", trump {one.trump}" if one.trump else ""
        yield f"  Deal {one.deal}: {as_signs(' '.join(one.hand) + trump)}, {one.situation}"
        yield f"    You: {one.chosen}. Better: {one.better}, by {one.cost:.1f} ± {one.error:.1f} chips."
