"""Events of the card play: cards, tricks, and what becomes of a renege."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.cards import Card, show


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card to the trick in progress."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"seat {self.seat} plays {self.card}"


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A seat took a complete trick."""

    seat: int
    trick: int
    """Number of the trick, from 1."""

    def __str__(self) -> str:
        return f"seat {self.seat} takes trick {self.trick}"


@dataclass(frozen=True, slots=True)
class Reneged:
    """A seat played a card that R5 or R6 forbids; other seats do not see which were legal."""

    seat: int
    card: Card
    rule: str
    legal: tuple[Card, ...] | None
    match: int
    """Chips it costs to match the pot for a renege; `renege_policy` says when they are owed (R8.4)."""

    def __str__(self) -> str:
        allowed = "" if self.legal is None else f"; legal: {show(self.legal)}"
        return f"seat {self.seat} reneges with {self.card} ({self.rule}{allowed}; matching the pot costs {self.match})"


@dataclass(frozen=True, slots=True)
class RenegeCorrected:
    """A card was taken back, and a legal one follows: the seat cannot win this pot and forfeits a deal (R8.2)."""

    seat: int
    recalled: Card

    def __str__(self) -> str:
        cost = "is barred from the pot and forfeits its next turn to deal"
        return f"seat {self.seat} takes back {self.recalled}, {cost} (R8.2)"


@dataclass(frozen=True, slots=True)
class RenegeRetracted:
    """A card was taken back, and another follows; its cost, if any, is an event of its own (R8.4)."""

    seat: int
    recalled: Card

    def __str__(self) -> str:
        return f"seat {self.seat} takes back {self.recalled} (R8.4)"


@dataclass(frozen=True, slots=True)
class TrickReopened:
    """The card that completed a trick was taken back: the trick goes on (R8.4, `silent`)."""

    trick: int

    def __str__(self) -> str:
        return f"trick {self.trick} is open again"


@dataclass(frozen=True, slots=True)
class Penalized:
    """A renege stands (R8.1) or no card came (R8.5): the seat must match the pot and cannot win it."""

    seat: int
    rule: str
    match: int
    """Chips owed; a deal charges them once, however often this happens."""

    def __str__(self) -> str:
        return f"seat {self.seat} is barred from the pot and owes {self.match} to match it ({self.rule})"
