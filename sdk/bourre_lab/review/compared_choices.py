"""The choices that a review compares, and their numbers in many deals at once."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.rules.actions import Choice, Declare, Draw, NameTrump, Play
from bourre.rules.cards import Card, card_set, cards_in
from bourre.rules.view import View
from bourre_lab.batch_deals.action_numbers import CARD_ACTIONS, COME_IN, NAME_TRUMP, PASS, TAKE
from bourre_lab.champion import judge


def compared_choices(view: View, chosen: Choice, most: int) -> tuple[Choice, ...]:
    """Returns the chosen one and the most promising others in the champion's judgement, at most `most` in total.

    For a card, it returns all legal cards. Before the play, it always includes passing.
    """
    judged = sorted(judge(view), key=lambda one: one.chips, reverse=True)
    others = [one.choice for one in judged if one.choice != chosen]
    if view.decision == "play":
        return chosen, *others
    passing = [choice for choice in others[most - 1 :] if choice == Declare(False)]
    return chosen, *others[: most - 1 - len(passing)], *passing


def action_of(choice: Choice, hand: Iterable[Card]) -> int:
    """Returns the number of the action in `batch_deals` for this choice of a seat with these cards."""
    if isinstance(choice, Play):
        return CARD_ACTIONS + int(choice.card)
    if isinstance(choice, NameTrump):
        return NAME_TRUMP + int(choice.trump)
    if isinstance(choice, Declare | Draw):
        if isinstance(choice, Declare) and not choice.plays:
            return PASS
        cards = cards_in(card_set(hand))
        subset = sum(1 << place for place, card in enumerate(cards) if card in choice.discards)
        return (TAKE if choice.takes else COME_IN) + subset
    return COME_IN if choice.stays else PASS
