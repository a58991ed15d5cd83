"""Everything that happens in a match, each a small fact with a name in the past tense.

Fields that only one seat may know are `None` in what another seat sees; `view.visible_to` cuts them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit, show


@dataclass(frozen=True, slots=True)
class TurnForfeited:
    """The deal reached a seat that owes a turn, and passed it over (R1.4)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} forfeits its turn to deal (R1.4)"


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card for the first deal (R1.3)."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"seat {self.seat} draws {self.card} for the deal"


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A new deal, numbered from 1."""

    deal: int
    dealer: int

    def __str__(self) -> str:
        return f"deal {self.deal}: seat {self.dealer} deals"


@dataclass(frozen=True, slots=True)
class AntePaid:
    """A seat paid its ante into the pot (R2)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} antes {self.chips}"


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat was dealt its cards (R3.1); other seats are not told which."""

    seat: int
    cards: tuple[Card, ...] | None

    def __str__(self) -> str:
        return f"seat {self.seat} is dealt {show(self.cards) if self.cards is not None else 'its cards'}"


@dataclass(frozen=True, slots=True)
class TrumpTurned:
    """The dealer's last card was turned up and names the trump suit (R3.1)."""

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
    """The dealer took the turned card for one of his discards (R3.2)."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"seat {self.seat} takes {self.card} into its hand"


@dataclass(frozen=True, slots=True)
class Declared:
    """A seat passed, or came in (R4.1); unasked where the rules oblige it (R4.5, R4.6)."""

    seat: int
    plays: bool
    obliged: bool = False

    def __str__(self) -> str:
        return f"seat {self.seat} {'plays' if self.plays else 'passes'}{' (obliged)' if self.obliged else ''}"


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat discarded and was dealt as many (R4.3); the number is public, the cards are not."""

    seat: int
    number: int
    discarded: tuple[Card, ...] | None
    received: tuple[Card, ...] | None

    def __str__(self) -> str:
        if self.number == 0:
            return f"seat {self.seat} stands pat"
        if self.discarded is None or self.received is None:
            return f"seat {self.seat} draws {self.number}"
        return f"seat {self.seat} draws {self.number}: {show(self.discarded)} for {show(self.received)}"


@dataclass(frozen=True, slots=True)
class Stayed:
    """After the draw a seat stayed, or passed and lost what it had paid (preset `indiana`)."""

    seat: int
    stays: bool

    def __str__(self) -> str:
        return f"seat {self.seat} {'stays' if self.stays else 'passes after the draw'}"


@dataclass(frozen=True, slots=True)
class StockGathered:
    """The stock was empty: discards and passed hands were shuffled into a new one (R4.4)."""

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
class Reneged:
    """A seat played a card that R5 or R6 forbid, may correct it (R8.4); others are not told its legal cards."""

    seat: int
    card: Card
    rule: str
    legal: tuple[Card, ...] | None
    match: int
    """Chips that the renege costs unless it is corrected."""

    def __str__(self) -> str:
        allowed = "" if self.legal is None else f"; legal: {show(self.legal)}"
        return f"seat {self.seat} reneges with {self.card} ({self.rule}{allowed}; a match of {self.match} if it stands)"


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


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot's answer was late, unreadable, unasked or missing."""

    seat: int
    fault: Fault

    def __str__(self) -> str:
        return f"seat {self.seat} is at fault: {self.fault.replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class DealForfeited:
    """A premature announcement costs a seat its next turn to deal (R4.7)."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} announced prematurely and forfeits its next turn to deal (R4.7)"


@dataclass(frozen=True, slots=True)
class HouseTookOver:
    """From here on the house plays this seat: passes when allowed, else stands pat and plays its lowest legal card."""

    seat: int

    def __str__(self) -> str:
        return f"the house plays seat {self.seat} from here on"


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A trick is complete."""

    seat: int
    trick: int
    """From 1."""

    def __str__(self) -> str:
        return f"seat {self.seat} takes trick {self.trick}"


@dataclass(frozen=True, slots=True)
class PotTaken:
    """A seat took chips from the pot (R7.1)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} takes {self.chips} from the pot"


@dataclass(frozen=True, slots=True)
class PotCarried:
    """Nobody won the pot: it stays (R7.2, R8.3). `tied` are those who tied for most tricks."""

    chips: int
    tied: tuple[int, ...]
    played: bool = True
    """False: nobody was in (R4.6)."""

    def __str__(self) -> str:
        barred = "its winner is barred" if self.played else "nobody plays"
        why = f"seats {', '.join(map(str, self.tied))} tie" if self.tied else barred
        return f"{why}: the pot of {self.chips} stays"


@dataclass(frozen=True, slots=True)
class MatchPaid:
    """A seat paid a match into the next pot, for bourré (R7.3), for a renege (R8.1), or once for both."""

    seat: int
    chips: int
    bourred: bool
    reneged: bool

    def __str__(self) -> str:
        why = " and ".join(["bourré"] * self.bourred + ["a renege"] * self.reneged)
        return f"seat {self.seat} pays {self.chips} for {why}"


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal is settled; balances and pot add up to 0 (R7.5)."""

    deal: int
    balances: tuple[int, ...]
    pot: int

    def __str__(self) -> str:
        return f"deal {self.deal} ends: balances {' '.join(f'{chips:+d}' for chips in self.balances)}, pot {self.pot}"


@dataclass(frozen=True, slots=True)
class PotShared:
    """A seat's share of the pot that the last deal left on the table (R7.6)."""

    seat: int
    chips: int

    def __str__(self) -> str:
        return f"seat {self.seat} gets {self.chips} of the pot left on the table"


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; the balances add up to 0."""

    balances: tuple[int, ...]

    def __str__(self) -> str:
        return f"the match ends: {' '.join(f'{chips:+d}' for chips in self.balances)}"


Event = (
    TurnForfeited
    | CardDrawn
    | DealStarted
    | AntePaid
    | HandDealt
    | TrumpTurned
    | TurnedReturned
    | TrumpNamed
    | TurnedTaken
    | Declared
    | Drew
    | Stayed
    | StockGathered
    | CardPlayed
    | Reneged
    | RenegeCorrected
    | RenegeRetracted
    | TrickReopened
    | Penalized
    | Faulted
    | DealForfeited
    | HouseTookOver
    | TrickTaken
    | PotTaken
    | PotCarried
    | MatchPaid
    | DealEnded
    | PotShared
    | MatchEnded
)
