"""What lies on the table at one moment of a deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bourre.rules.cards import Card, Suit
from bourre.rules.events import Event, Penalized, RenegeCorrected, Reneged
from bourre.rules.pot import Ledger
from bourre_referee.text.narration.deal_story import DealStory
from bourre_referee.text.narration.event_log import seat_of
from bourre_referee.text.narration.story_parts import SeatStory, TrickStory

Standing = Literal["", "in", "out"]
"""Of a seat in a deal; empty: it has not declared."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat."""

    hand: tuple[Card, ...]
    standing: Standing
    drew: int | None
    """How many cards; None: it has not drawn."""
    tricks: int
    balance: int
    barred: bool
    """It cannot win this pot (R8)."""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card of the trick."""

    seat: int
    card: Card
    wrong: bool
    """It broke a rule, or corrects one that did, or the referee played it."""


@dataclass(frozen=True, slots=True)
class RenegeState:
    """A renege at the moment when it is told."""

    seat: int
    card: Card
    legal: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table; lists are by seat."""

    seats: tuple[SeatState, ...]
    pot: int
    turned: Card | None
    trump: Suit | None
    trick: tuple[LyingCard, ...]
    """The last trick until the next is led; the first seat led."""
    number: int
    """Of that trick; 0: before the play."""
    winner: int | None
    """Who took it; None: it is in progress."""
    acting: int | None
    """Whose event brought this about."""
    renege: RenegeState | None
    """The renege that has just been told."""


def table_state(story: DealStory, ledger: Ledger, event: Event) -> TableState:
    """The table after this event, which the story and the ledger have heard."""
    barred = {note.event.seat for note in story.incidents if isinstance(note.event, RenegeCorrected | Penalized)}
    seats = zip(story.seats, ledger.balances, strict=True)
    led = [trick for trick in story.tricks if trick.cards]  # a card that was led may have been taken back (R8.4)
    last = led[-1] if led else TrickStory()
    return TableState(
        seats=tuple(_seat(seat, balance, number in barred) for number, (seat, balance) in enumerate(seats)),
        pot=ledger.pot,
        turned=story.turned.card if story.turned else None,
        trump=story.trump,
        trick=tuple(
            LyingCard(seat, played.card, played.reneged or played.by_referee) for seat, played in last.cards.items()
        ),
        number=len(led),
        winner=last.winner,
        acting=seat_of(event),
        renege=RenegeState(event.seat, event.card, event.legal or ()) if isinstance(event, Reneged) else None,
    )


def _seat(seat: SeatStory, balance: int, barred: bool) -> SeatState:
    standing: Standing = "" if seat.declared is None else "in" if seat.plays else "out"
    drew = None if seat.drew is None else seat.drew.number
    return SeatState(tuple(seat.hand), standing, drew, seat.tricks, balance, barred)
