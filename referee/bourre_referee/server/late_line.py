"""Says for a bot's own log which decision it did not make in time, with which cards, and how long it had."""

from __future__ import annotations

from bourre.messages import Ask
from bourre.words.table_words import describe_cards
from bourre_referee.model.spec import MatchSpec
from bourre_referee.text.narration.events_by_deal import place_of


def late_line(ask: Ask, spec: MatchSpec, allowed_ms: float) -> str:
    """Returns the line; it names no card that the bot does not see."""
    view = ask.view
    place = place_of(view.deal, spec.board.seating if spec.board else None)
    had = f"the {allowed_ms:.0f} ms that you had, bank included"
    return (
        f"{spec.match}, {place}, seat {view.seat}: no answer to {view.decision} within {had}: {describe_cards(view)}. "
        "The referee acted for you (R8.5)"
    )
