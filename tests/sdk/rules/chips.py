"""Chips counted independently from the events that move them."""

from __future__ import annotations

from dataclasses import dataclass, field

from bourre.rules.events import AntePaid, Event, FinePaid, MatchPaid, PotShared, PotTaken


@dataclass
class Chips:
    """Every seat's balance, and the pot, derived from events alone."""

    seats: int
    pot: int = 0
    balances: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.balances = [0] * self.seats

    def hear(self, event: Event) -> None:
        """Moves the chips that an event moves."""
        match event:
            case AntePaid(seat, chips) | MatchPaid(seat, chips) | FinePaid(seat, chips):
                self.move(seat, -chips)
            case PotTaken(seat, chips) | PotShared(seat, chips):
                self.move(seat, chips)

    def move(self, seat: int, chips: int) -> None:
        """Between a seat and the pot."""
        self.balances[seat] += chips
        self.pot -= chips
        assert self.pot >= 0, "the pot was overdrawn"
