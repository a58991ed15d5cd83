"""What a bot can infer from its view: which cards are illegal, which win, and what is lost."""

from __future__ import annotations

from bourre import remaining
from bourre.rules.actions import Action, Decision, Play
from bourre.rules.cards import Card
from bourre.rules.tricks import beats, best_card
from bourre.rules.visibility import View


def illegal(view: View) -> list[Card]:
    """Returns the cards of the hand that may not be played now; none if no card is asked for."""
    return [card for card in view.hand if card not in view.legal] if view.decision == Decision.PLAY else []


def is_renege(view: View, action: Action) -> bool:
    """Whether this action plays an illegal card of the hand."""
    return isinstance(action, Play) and action.card in illegal(view)


def wins(view: View, card: Card) -> bool:
    """Whether this card is the best of the trick so far."""
    return best_card([*view.trick, card], view.trump) == card


def trump_kept(view: View) -> Card | None:
    """Returns the lowest card that is not a trump if only trumps are legal, otherwise None."""
    if not all(card.suit == view.trump for card in view.legal):
        return None
    return min((card for card in illegal(view) if card.suit != view.trump), default=None)


def is_hopeless(view: View) -> bool:
    """Whether a seat without a trick can win none with a legal card now, nor later with an unbeatable card."""
    if view.decision != Decision.PLAY or view.tricks_won[view.seat] or not view.trick:
        return False
    out = remaining(view)
    later = any(not any(beats(other, card, view.trump) for other in out) for card in view.hand)
    return not later and not any(wins(view, card) for card in view.legal)


def leader_takes(view: View) -> bool:
    """Whether this trick currently goes to a seat with at least one trick and at least as many as any other."""
    if not view.trick or view.leader is None:
        return False
    order = view.playing
    best = view.trick.index(best_card(view.trick, view.trump))
    taker = order[(order.index(view.leader) + best) % len(order)]
    return view.tricks_won[taker] == max(view.tricks_won) > 0


def pot_is_lost(view: View) -> bool:
    """Whether the seat can no longer have most tricks alone, even if it takes all remaining ones."""
    left = len(view.hand)
    others = max(won for seat, won in enumerate(view.tricks_won) if seat != view.seat)
    return view.tricks_won[view.seat] + left <= others
