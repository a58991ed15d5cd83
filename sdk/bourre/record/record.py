"""A record and its parts: the header, each deal, and the final balances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bourre.rules.actions import Action
from bourre.rules.cards import Card
from bourre.rules.deck import Chance, DuplicateChance, SeededChance
from bourre.rules.errors import BourreError
from bourre.rules.events import Reneged
from bourre.rules.house import HouseRules
from bourre.rules.markup import Markup, cards_html, table_html


class RecordError(BourreError, ValueError):
    """A record that is unreadable, or that the rules contradict. The message has the place."""

    def __init__(self, text: str, deal: int | None = None) -> None:
        super().__init__(text)
        self.deal = deal
        """The deal with the difference; None if it is outside any deal."""


Format = Literal["session", "duplicate"]
"""Whether deals follow one another or are settled one by one."""


@dataclass(frozen=True, slots=True)
class Header:
    """The inputs of a match, except the answers of its bots."""

    match: str
    bots: tuple[str, ...]
    """The names of the bots by seat, or in `duplicate` by number."""
    deals: int
    seed: bytes
    """The seed of this match, from which every card follows (`rules.deck`)."""
    house: HouseRules
    format: Format = "session"
    """In `duplicate`, every deal is settled alone and played in as many seatings as there are seats."""
    stakes: tuple[int, ...] = (0,)
    """In `duplicate`, the seed chooses from these chips what every seat pays before a deal (`rules.deck`)."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal, or one of its seatings. Lists are by seat."""

    deal: int
    """Number of the deal, from 1."""
    dealer: int
    dealt: tuple[tuple[Card, ...], ...]
    """The hands before the draw, each lowest first."""
    turned: Card | None
    """The turned card; None if none was turned (R3.2)."""
    received: tuple[tuple[Card, ...], ...]
    """The drawn cards, lowest first. The actions contain the discards."""
    actions: tuple[tuple[int, Action], ...]
    """Seat and action, in the order in which the match took them."""
    reneges: tuple[Reneged, ...]
    """The reneges in order. Their final cost follows from the deal."""
    taken: tuple[int, ...]
    """Tricks taken by each seat."""
    balances: tuple[int, ...]
    """Balances after this deal, before the next antes."""
    pot: int
    """The pot after this deal. In `duplicate`, the seats share it equally (`rules.pot.settle_in_units`)."""
    seating: int | None = None
    """The number of the seating in `duplicate`, from 1; else None."""
    line_up: tuple[int, ...] | None = None
    """The bot at each seat in `duplicate`, by number in the header's list; else None."""


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a whole match."""

    header: Header
    deals: tuple[DealRecord, ...]
    final: tuple[int, ...]
    """The final balances with the shares of the last pot (R7.6), or in `duplicate` each bot's total in 1/840 chips."""

    def _repr_html_(self) -> str:
        """Writes one row for each deal, for a notebook."""
        return _table(self.header, self.deals)


def chance_of(header: Header) -> Chance:
    """Returns the source of this match's cards."""
    if header.format == "session":
        return SeededChance(header.seed)
    return DuplicateChance(header.seed, header.stakes)


def _table(header: Header, deals: Iterable[DealRecord]) -> Markup:
    """Writes one row for each deal: the turned card, and each seat's hand before the draw, tricks and balance."""
    by_number = header.format == "duplicate"
    seats = [f"seat {seat}" if by_number else bot for seat, bot in enumerate(header.bots)]
    caption = f"{header.match}: {', '.join(header.bots)}"
    return table_html(caption, ("deal", "dealer", "turned", *seats, "pot"), map(_row, deals))


def _row(deal: DealRecord) -> tuple[object, ...]:
    name = f"{deal.deal}" if deal.seating is None else f"{deal.deal}, seating {deal.seating}"
    turned = cards_html([] if deal.turned is None else [deal.turned])
    return name, deal.dealer, turned, *(_seat(deal, seat) for seat in range(len(deal.dealt))), deal.pot


def _seat(deal: DealRecord, seat: int) -> Markup:
    taken = deal.taken[seat]
    tricks = f"{taken} trick" + ("" if taken == 1 else "s")
    return Markup(f"{cards_html(deal.dealt[seat])}<br>{tricks}, {deal.balances[seat]:+}")
