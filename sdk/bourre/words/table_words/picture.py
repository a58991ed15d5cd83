"""The table at one moment, by the story of a deal or by a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bourre.rules.cards import Card, Suit
from bourre.rules.events import Event, Reneged
from bourre.rules.view import View
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.story_parts import SeatStory, TrickStory

SeatStatus = Literal["", "in", "out"]
"""Whether a seat plays the deal; empty before its declaration."""
_STATUSES: dict[bool | None, SeatStatus] = {None: "", True: "in", False: "out"}


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """One seat."""

    hand: tuple[Card | None, ...] = ()
    """Its cards, lowest first, as far as known. A hidden card is None."""
    status: SeatStatus = ""
    drew: int | None = None
    """The number of cards it drew; None if it has not drawn."""
    tricks: int = 0
    chips: int = 0
    """Its balance."""
    barred: bool = False
    """Whether it cannot win this pot (R8)."""


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card in the trick."""

    seat: int
    card: Card
    wrong: bool = False
    """Whether it broke a rule, corrects a card that did, or was played by the referee."""


@dataclass(frozen=True, slots=True)
class RenegePicture:
    """A renege that has just been announced."""

    seat: int
    card: Card
    legal: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The whole table, with `seats` in order."""

    deal: int
    dealer: int | None
    """None while the seats draw for the first deal."""
    seats: tuple[SeatPicture, ...]
    pot: int
    turned: Card | None
    trump: Suit | None
    trick: tuple[TrickCard, ...]
    """The last trick, in the order of play, until the next lead."""
    number: int
    """The number of that trick; 0 before the first."""
    winner: int | None = None
    """The seat that took that trick; None while it is in progress."""
    acting: int | None = None
    """The seat of the last event."""
    renege: RenegePicture | None = None
    """The renege that the last event announced."""


def seat_of(event: Event) -> int | None:
    """Returns the seat of an event; None if it has no seat."""
    seat: int | None = getattr(event, "seat", None)
    return seat


def picture_after(story: DealStory, event: Event) -> Picture:
    """Returns the table after this event, which the story already contains."""
    led = [trick for trick in story.tricks if trick.cards]  # a lead may have been retracted (R8.4)
    last = led[-1] if led else TrickStory()
    return Picture(
        deal=story.number,
        dealer=story.dealer if story.number else None,
        seats=tuple(map(_seat_in_story, story.seats, story.balances)),
        pot=story.chips,
        turned=story.turned.card if story.turned else None,
        trump=story.trump,
        trick=tuple(
            TrickCard(seat, played.card, played.reneged or played.by_referee) for seat, played in last.cards.items()
        ),
        number=len(led),
        winner=last.winner,
        acting=seat_of(event),
        renege=RenegePicture(event.seat, event.card, event.legal or ()) if isinstance(event, Reneged) else None,
    )


def _seat_in_story(seat: SeatStory, balance: int) -> SeatPicture:
    status = _STATUSES[None if seat.declared is None else seat.plays]
    drew = None if seat.drew is None else seat.drew.number
    return SeatPicture(tuple(seat.hand), status, drew, seat.tricks, balance, seat.barred)


def picture_of(view: View) -> Picture:
    """Returns the table in the view of a decision."""
    order = view.playing
    first = 0 if view.leader is None else order.index(view.leader)
    trick = zip((*order[first:], *order[:first]), view.trick, strict=False)
    return Picture(
        deal=view.deal,
        dealer=view.dealer,
        seats=tuple(_seat_in_view(view, seat) for seat in range(view.seats)),
        pot=view.pot,
        turned=view.turned,
        trump=view.named,
        trick=tuple(TrickCard(seat, card) for seat, card in trick),
        number=len(view.tricks) + bool(view.trick),
    )


def _seat_in_view(view: View, seat: int) -> SeatPicture:
    hand = view.hand if seat == view.seat else ()
    status = _STATUSES[view.plays[seat]]
    return SeatPicture(hand, status, view.drawn[seat], view.tricks_won[seat], view.balances[seat], seat in view.barred)
