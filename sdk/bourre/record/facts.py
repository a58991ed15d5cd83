"""The parts of a record: who sat where under which rules, and each deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bourre.rules.actions import Action
from bourre.rules.cards import Card
from bourre.rules.deck import Chance, DuplicateChance, SeededChance
from bourre.rules.errors import BourreError
from bourre.rules.events import Reneged
from bourre.rules.house import HouseRules


class RecordError(BourreError, ValueError):
    """A record that cannot be read, or that the rules contradict: names the place and the first difference."""

    def __init__(self, text: str, deal: int | None = None) -> None:
        super().__init__(text)
        self.deal = deal
        """The deal that contains the difference; None if it is in no deal."""


Format = Literal["session", "duplicate"]
"""Whether deals follow one another, or are settled one by one."""


@dataclass(frozen=True, slots=True)
class Header:
    """Everything that decides a match, except the answers of its bots."""

    match: str
    bots: tuple[str, ...]
    """Names of the bots, by seat; in `duplicate` by number."""
    deals: int
    seed: bytes
    """The match's own seed; every card follows from it (`rules.deck`)."""
    house: HouseRules
    format: Format = "session"
    """In `duplicate`, every deal is settled by itself, and played in as many seatings as there are seats."""
    stakes: tuple[int, ...] = (0,)
    """In `duplicate`, the chips that every seat may have to pay before a deal; the seed chooses (`rules.deck`)."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal, or one seating of it; lists are by seat."""

    deal: int
    """Number of the deal, from 1."""
    dealer: int
    dealt: tuple[tuple[Card, ...], ...]
    """The hands before the draw, each lowest first."""
    turned: Card | None
    """The turned card; None if none was turned (R3.2)."""
    received: tuple[tuple[Card, ...], ...]
    """The cards drawn, each lowest first; the discards are in the actions."""
    actions: tuple[tuple[int, Action], ...]
    """Seat and action, in the order in which the match took them."""
    reneges: tuple[Reneged, ...]
    """The reneges in order; their final cost follows from the deal."""
    taken: tuple[int, ...]
    """Tricks taken by each seat."""
    balances: tuple[int, ...]
    """Balances after this deal, before the next antes."""
    pot: int
    """The pot after this deal; in `duplicate` it is shared equally (`rules.pot.settled`)."""
    seating: int | None = None
    """Number of the seating in `duplicate`, from 1; else None."""
    line_up: tuple[int, ...] | None = None
    """The bot at each seat in `duplicate`, by number in the header's list; else None."""


def chance_of(header: Header) -> Chance:
    """Returns the source of this match's cards."""
    if header.format == "session":
        return SeededChance(header.seed)
    return DuplicateChance(header.seed, header.stakes)
