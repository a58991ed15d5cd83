"""The guide, which explains each rule in a short sentence when it first applies. docs/rules.md has the ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bourre.rules.actions import Decision
from bourre.rules.cards import Card, card_set, cards_in
from bourre.rules.events import (
    AntePaid,
    DealStarted,
    Declared,
    Event,
    MatchPaid,
    PotCarried,
    PotTaken,
    RenegeCorrected,
    Reneged,
    TrickTaken,
)
from bourre.rules.tricks import broken_rule
from bourre.rules.view import View

LESSONS = {
    "R2.1": "Before each deal every seat pays an ante into the pot. The pot is what you play for.",
    "R3.1": "The dealer's last card is turned up. Its suit is trump: a trump beats every card of the other suits.",
    "R3.2": "At this table one more card is turned up, or the dealer names a suit: that suit is trump.",
    "R4.1": "Pass, and you lose no more than your ante. Play only with a hand that should take a trick.",
    "R4.3": "Whoever plays may exchange cards once. Keep trumps and aces; throw away low cards of other suits.",
    "R4.6": "The dealer must play: all others have passed, or the dealer's turned card is an ace (R4.5).",
    "R4.8": "Only one seat plays this deal: it takes the pot, and no card is played.",
    "R5.1": "The highest trump takes a trick, or without one the highest card of the suit led. Its winner leads next.",
    "R5.2": "Follow suit: if you hold the suit that was led, you must play it.",
    "R5.3": "Beat the table: when you follow suit and can beat the best card so far, you must.",
    "R5.4": "You cannot follow suit, so you must trump, with a trump that wins if you have one.",
    "R5.5": "You hold neither the suit led nor a trump, so you may play anything. It cannot win.",
    "R5.6": "You lead: any card will do, unless a house rule or a cinch demands a trump.",
    "R6.2": "You have a cinch: three tricks nobody can take from you. Then you must play your highest trump.",
    "R7.1": "Whoever takes more tricks than any other seat wins the pot.",
    "R7.2": "The most tricks are tied, so nobody wins: the pot stays on the table for the next deal.",
    "R7.3": "Play and take no trick, and you are bourré: you pay as much as the pot held.",
    "R8.1": "A card against the rules is a renege. Uncorrected, it costs as much as going bourré, and the pot.",
    "R8.2": "A renege corrected in time costs no payment, but you cannot win this pot and miss your next turn to deal.",
}
"""The guide's text, by the id of the rule."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A rule and the guide's text about it."""

    rule: str
    text: str


class Guide:
    """Chooses the lessons, each only once; none unless it `teaches`."""

    def __init__(self, *, teaches: bool) -> None:
        self._left = dict(LESSONS) if teaches else {}
        self._tricks_taken = False

    def hear(self, event: Event) -> tuple[Lesson, ...]:
        """Returns the lessons of an event."""
        if isinstance(event, DealStarted | TrickTaken):
            self._tricks_taken = isinstance(event, TrickTaken)
        if isinstance(event, PotTaken):
            return self._take(["R7.1" if self._tricks_taken else "R4.8"])
        return self._take(_rules_of_event(event))

    def look(self, view: View) -> tuple[Lesson, ...]:
        """Returns the lessons of a decision."""
        return self._take(_rules_of_view(view))

    def _take(self, rules: Iterable[str]) -> tuple[Lesson, ...]:
        return tuple(Lesson(rule, self._left.pop(rule)) for rule in rules if rule in self._left)


def _rules_of_event(event: Event) -> Iterator[str]:
    match event:
        case AntePaid():
            yield "R2.1"
        case TrickTaken():
            yield "R5.1"
        case Declared(plays=True, obliged=True):
            yield "R4.6"
        case PotCarried(tied=(_, *_)):
            yield "R7.2"
        case MatchPaid(bourred=True):
            yield "R7.3"
        case Reneged():
            yield "R8.1"
        case RenegeCorrected():
            yield "R8.2"


def _rules_of_view(view: View) -> Iterator[str]:
    if view.decision in (Decision.NAME_TRUMP, Decision.DECLARE):
        yield "R3.1" if view.house.dealer_holds_turned else "R3.2"
    if view.decision == Decision.DECLARE:
        yield "R4.1"
    if view.decision == Decision.DRAW or (view.decision == Decision.DECLARE and view.house.declares_in_turn):
        yield "R4.3"
    if view.decision == Decision.PLAY:
        yield from _rules_of_card(view)


def _rules_of_card(view: View) -> Iterator[str]:
    if not view.trick:
        yield "R5.6"
    elif not _follows(view) and len(view.legal) == len(view.hand) > 1:
        yield "R5.5"
    yield from sorted({broken_rule(card, view.position) for card in forbidden(view)})


def _follows(view: View) -> bool:
    return any(card.suit in (view.trick[0].suit, view.trump) for card in view.hand)


def forbidden(view: View) -> tuple[Card, ...]:
    """Returns the illegal cards of the hand."""
    return cards_in(card_set(view.hand) & ~card_set(view.legal))
