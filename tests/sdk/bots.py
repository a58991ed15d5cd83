"""Bots for tests of practice, and the events of a match that they played."""

from __future__ import annotations

from bourre.bot import Bot
from bourre.practice import PracticeMatch
from bourre.record import read, replay
from bourre.rules.cards import Card
from bourre.rules.events import Event
from bourre.rules.visibility import View


class Keen(Bot):
    """Always in."""

    def declare(self, view: View) -> bool:
        return True


class Drawing(Keen):
    """Exchanges everything but trumps."""

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if card.suit != view.trump]


class Wild(Keen):
    """Plays any card of its hand, legal or not; may or may not correct it."""

    def play(self, view: View) -> Card:
        return view.rng.choice(view.hand)


def events_of(match: PracticeMatch) -> list[Event]:
    """All events of a match, from its record."""
    return [event for step in replay(read(match.record)) for event in step.events]
