"""The events of one deal's cards: dealing, declaring, drawing, tricks and reneges."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.cards import Card, Suit, show


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat was dealt its cards (R3.1). Other seats do not see them."""

    seat: int
    cards: tuple[Card, ...] | None

    def __str__(self) -> str:
        return f"seat {self.seat} is dealt {show(self.cards) if self.cards is not None else 'its cards'}"


@dataclass(frozen=True, slots=True)
class TrumpTurned:
    """A card was turned up for the trump suit: the dealer's last card (R3.1) or another (R3.2)."""

    card: Card
    trump: Suit

    def __str__(self) -> str:
        return f"{self.card} is turned up: trump is {self.trump}"


@dataclass(frozen=True, slots=True)
class TurnedReturned:
    """The turned card was shuffled back into the stock before anyone declared (R3.2)."""

    card: Card

    def __str__(self) -> str:
        return f"{self.card} is shuffled back into the stock"


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    """The dealer named the trump suit (R3.2)."""

    seat: int
    trump: Suit

    def __str__(self) -> str:
        return f"seat {self.seat} names the trump: {self.trump}"


@dataclass(frozen=True, slots=True)
class TurnedTaken:
    """The dealer took the turned card for one of its discards (R3.2)."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"seat {self.seat} takes {self.card} into its hand"


@dataclass(frozen=True, slots=True)
class Declared:
    """A seat passed or came in (R4.1). If the rules oblige it, it was not asked (R4.5, R4.6)."""

    seat: int
    plays: bool
    obliged: bool = False

    def __str__(self) -> str:
        return f"seat {self.seat} {'plays' if self.plays else 'passes'}{' (obliged)' if self.obliged else ''}"


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat discarded cards and drew as many (R4.3). The number is public, the cards are not."""

    seat: int
    number: int
    discarded: tuple[Card, ...] | None
    received: tuple[Card, ...] | None

    def __str__(self) -> str:
        if self.number == 0:
            return f"seat {self.seat} stands pat"
        if self.discarded is None or self.received is None:
            return f"seat {self.seat} discards {self.number} card{'s' * (self.number != 1)}"
        drawn = f", draws {show(self.received)}" if self.received else ""
        return f"seat {self.seat} discards {show(self.discarded)}{drawn}"


@dataclass(frozen=True, slots=True)
class Stayed:
    """After the draw, a seat stayed, or passed and lost its paid antes (preset `indiana`)."""

    seat: int
    stays: bool

    def __str__(self) -> str:
        return f"seat {self.seat} {'stays' if self.stays else 'passes after the draw'}"


@dataclass(frozen=True, slots=True)
class StockGathered:
    """The stock was empty, so discards and passed hands were shuffled into a new one (R4.4)."""

    cards: int

    def __str__(self) -> str:
        return f"the stock is empty: {self.cards} cards are gathered and shuffled (R4.4)"


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
    """A seat played a card that R5 or R6 forbids. Other seats do not see its legal cards."""

    seat: int
    card: Card
    rule: str
    legal: tuple[Card, ...] | None
    match: int
    """The chips that match the pot for a renege. `renege_policy` decides when they are owed (R8.4)."""

    def __str__(self) -> str:
        allowed = "" if self.legal is None else f"; legal: {show(self.legal)}"
        return f"seat {self.seat} reneges with {self.card} ({self.rule}{allowed}; matching the pot costs {self.match})"


@dataclass(frozen=True, slots=True)
class RenegeCorrected:
    """A card was taken back, and a legal one follows. The seat cannot win this pot and forfeits a deal (R8.2)."""

    seat: int
    recalled: Card

    def __str__(self) -> str:
        cost = "is barred from the pot and forfeits its next turn to deal"
        return f"seat {self.seat} takes back {self.recalled}, {cost} (R8.2)"


@dataclass(frozen=True, slots=True)
class RenegeRetracted:
    """A card was taken back, and another follows. The cost, if any, is another event (R8.4)."""

    seat: int
    recalled: Card

    def __str__(self) -> str:
        return f"seat {self.seat} takes back {self.recalled} (R8.4)"


@dataclass(frozen=True, slots=True)
class TrickReopened:
    """The card that completed a trick was taken back, so the trick continues (R8.4, `silent`)."""

    trick: int

    def __str__(self) -> str:
        return f"trick {self.trick} is open again"


@dataclass(frozen=True, slots=True)
class Penalized:
    """A renege stands (R8.1) or no card came (R8.5), so the seat must match the pot and cannot win it."""

    seat: int
    rule: str
    match: int
    """The owed chips. A deal charges them only once."""

    def __str__(self) -> str:
        return f"seat {self.seat} is barred from the pot and owes {self.match} to match it ({self.rule})"
