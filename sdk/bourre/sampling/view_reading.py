"""Derives from a view the seat that is winning the trick, and the unseen cards."""

from __future__ import annotations

from bourre.rules.cards import DECK, Card, card_set, cards_in
from bourre.rules.tricks import best_card
from bourre.rules.view import View

ALL_CARDS = card_set(DECK)


def winner(view: View) -> int | None:
    """Returns the seat that is winning the trick in progress; None before its first card (R5.1)."""
    if not view.trick or view.leader is None:
        return None
    order = view.playing
    best = view.trick.index(best_card(view.trick, view.trump))
    return order[(order.index(view.leader) + best) % len(order)]


def played_cards(view: View) -> tuple[Card, ...]:
    """Returns the cards played in this deal, in order."""
    return tuple(card for trick in (*(trick.cards for trick in view.tricks), view.trick) for card in trick)


def remaining(view: View) -> tuple[Card, ...]:
    """Returns the cards that this seat has not seen in this deal, lowest first.

    It has seen its hand, its discards, the turned card, all plays, and the cards shown in a renege (`view.recalled`).
    Unseen cards are in other hands, in the stock or thrown away. A turned card that was shuffled back (R3.2) counts.
    """
    turned = [] if view.turned is None or view.house.returns_turned else [view.turned]
    shown = [card for _, card in view.recalled]
    return cards_in(ALL_CARDS & ~card_set([*view.hand, *view.discarded, *turned, *played_cards(view), *shown]))
