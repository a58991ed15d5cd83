"""What a record is made of: who sat where under which rules, and each deal."""

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
        """The deal in which the difference is; None: outside of any."""


Format = Literal["session", "duplicate"]
"""How the deals of a match hang together."""


@dataclass(frozen=True, slots=True)
class Header:
    """All that decides a match, but for the answers of its bots."""

    match: str
    bots: tuple[str, ...]
    """Their names, by seat; in `duplicate` by number."""
    deals: int
    seed: bytes
    """The match's own seed; every card follows from it (`rules.deck`)."""
    house: HouseRules
    format: Format = "session"
    """`duplicate`: every deal is settled by itself, and played in as many seatings as there are seats."""
    stakes: tuple[int, ...] = (0,)
    """In `duplicate`: what every seat may have to pay before a deal; the seed chooses (`rules.deck`)."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal, or one of its playings; lists are by seat."""

    deal: int
    """From 1."""
    dealer: int
    dealt: tuple[tuple[Card, ...], ...]
    """The hands before the draw, each lowest first."""
    turned: Card | None
    """None: no card was turned up (R3.2)."""
    received: tuple[tuple[Card, ...], ...]
    """The cards drawn, each lowest first; what went for them stands in the actions."""
    actions: tuple[tuple[int, Action], ...]
    """Seat and action, in the order in which the match took them."""
    reneges: tuple[Reneged, ...]
    """In their order; what they cost in the end follows from the deal."""
    taken: tuple[int, ...]
    """Tricks."""
    balances: tuple[int, ...]
    """After this deal, before the next antes."""
    pot: int
    """Likewise; in `duplicate` it is shared equally (`rules.pot.settled`)."""
    seating: int | None = None
    """In `duplicate`: which playing of this deal it is, from 1."""
    line_up: tuple[int, ...] | None = None
    """In `duplicate`: who sits where, by number in the header's list of bots."""


def chance_of(header: Header) -> Chance:
    """Where the cards of this match come from."""
    if header.format == "session":
        return SeededChance(header.seed)
    return DuplicateChance(header.seed, header.stakes)
