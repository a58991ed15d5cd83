"""The play of the cards: tricks, and what becomes of a renege."""

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
    """A trick is complete."""

    seat: int
    trick: int
    """From 1."""

    def __str__(self) -> str:
        return f"seat {self.seat} takes trick {self.trick}"


@dataclass(frozen=True, slots=True)
class Reneged:
    """A seat played a card that R5 or R6 forbids; other seats are not told which were legal."""

    seat: int
    card: Card
    rule: str
    legal: tuple[Card, ...] | None
    match: int
    """Chips of the match that a renege costs; `renege_policy` says when it is owed (R8.4)."""

    def __str__(self) -> str:
        allowed = "" if self.legal is None else f"; legal: {show(self.legal)}"
        return f"seat {self.seat} reneges with {self.card} ({self.rule}{allowed}; a match of {self.match})"


@dataclass(frozen=True, slots=True)
class RenegeCorrected:
    """The card was taken back and a legal one follows: the seat cannot win this pot and forfeits a deal (R8.2)."""

    seat: int
    recalled: Card

    def __str__(self) -> str:
        return (
            f"seat {self.seat} takes back {self.recalled}: barred from the pot, forfeits its next turn to deal (R8.2)"
        )


@dataclass(frozen=True, slots=True)
class RenegeRetracted:
    """The card was taken back and another follows; what it costs, if anything, stands beside it (R8.4)."""

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
    """A renege stands (R8.1) or no card came (R8.5): the seat owes a match and cannot win this pot."""

    seat: int
    rule: str
    match: int
    """Chips owed, once however often it happens in one deal."""

    def __str__(self) -> str:
        return f"seat {self.seat} is barred from the pot and owes a match of {self.match} ({self.rule})"
