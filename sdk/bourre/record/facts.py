"""What a record holds: who sat where under which rules, each deal, and the final balances."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.actions import Action
from bourre.rules.cards import Card
from bourre.rules.events import Reneged
from bourre.rules.house import HouseRules


@dataclass(frozen=True, slots=True)
class Header:
    """All that decides a match, but for the answers of its bots."""

    match: str
    bots: tuple[str, ...]
    """Their names, by seat."""
    deals: int
    seed: bytes
    """The match's own seed; every card follows from it (`rules.deck`)."""
    house: HouseRules


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal; lists are by seat."""

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
    """Likewise."""


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match."""

    header: Header
    deals: tuple[DealRecord, ...]
    final: tuple[int, ...]
    """The balances at the end, the last pot shared out (R7.6)."""
