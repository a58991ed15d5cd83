"""The question that a bot answered with an event, for readers who want to answer it first."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.events import CardPlayed, Declared, Drew, Event, Reneged, Stayed, TurnedTaken


@dataclass(frozen=True, slots=True)
class Asked:
    """What a seat was asked."""

    seat: int
    question: str


def asked_for(event: Event) -> Asked | None:
    """Return the question that this event answers; None if it answers none."""
    match event:
        case Declared(seat=seat, obliged=False):
            return Asked(seat, "Would you play, or pass?")
        case Drew(seat=seat):
            return Asked(seat, "Which cards would you throw away?")
        case Stayed(seat=seat):
            return Asked(seat, "Would you stay, or pass now?")
        case TurnedTaken(seat=seat):
            return Asked(seat, "Would you take the turned card?")
        case CardPlayed(seat=seat) | Reneged(seat=seat):
            return Asked(seat, "Which card would you play?")
        case _:
            return None
