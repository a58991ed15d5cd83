"""The state of the table at one moment of a deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bourre.rules.cards import Card, Suit
from bourre.rules.events import Event, Penalized, RenegeCorrected, Reneged
from bourre.rules.pot import Ledger
from bourre_referee.text.narration.deal_story import DealStory
from bourre_referee.text.narration.event_log import seat_of
from bourre_referee.text.narration.story_parts import SeatStory, TrickStory

SeatStatus = Literal["", "in", "out"]
"""Whether a seat plays the deal; empty: it has not declared."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """The state of one seat."""

    hand: tuple[Card | None, ...]
    """A card that the reader may not see is None."""
    status: SeatStatus
    drew: int | None
    """How many cards it drew; None: it has not drawn."""
    tricks: int
    balance: int
    barred: bool
    """Whether it cannot win this pot (R8)."""


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card in the trick."""

    seat: int
    card: Card
    wrong: bool
    """Whether it broke a rule, corrects a card that did, or was played by the referee."""


@dataclass(frozen=True, slots=True)
class RenegeState:
    """A renege that has just been announced."""

    seat: int
    card: Card
    legal: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of the whole table; `seats` are in order."""

    seats: tuple[SeatState, ...]
    pot: int
    turned: Card | None
    trump: Suit | None
    trick: tuple[TrickCard, ...]
    """The last trick until the next is led, in the order of play."""
    number: int
    """The number of that trick; 0 before the first."""
    winner: int | None
    """The seat that took that trick; None while it is in progress."""
    acting: int | None
    """The seat of the last event."""
    renege: RenegeState | None
    """The renege that the last event announced."""


def table_state(story: DealStory, ledger: Ledger, event: Event) -> TableState:
    """Return the table after this event, which the story and the ledger already include."""
    barred = {note.event.seat for note in story.incidents if isinstance(note.event, RenegeCorrected | Penalized)}
    seats = zip(story.seats, ledger.balances, strict=True)
    led = [trick for trick in story.tricks if trick.cards]  # a lead may have been retracted (R8.4)
    last = led[-1] if led else TrickStory()
    return TableState(
        seats=tuple(_seat(seat, balance, number in barred) for number, (seat, balance) in enumerate(seats)),
        pot=ledger.pot,
        turned=story.turned.card if story.turned else None,
        trump=story.trump,
        trick=tuple(
            TrickCard(seat, played.card, played.reneged or played.by_referee) for seat, played in last.cards.items()
        ),
        number=len(led),
        winner=last.winner,
        acting=seat_of(event),
        renege=RenegeState(event.seat, event.card, event.legal or ()) if isinstance(event, Reneged) else None,
    )


def _seat(seat: SeatStory, balance: int, barred: bool) -> SeatState:
    status: SeatStatus = "" if seat.declared is None else "in" if seat.plays else "out"
    drew = None if seat.drew is None else seat.drew.number
    return SeatState(tuple(seat.hand), status, drew, seat.tricks, balance, barred)
