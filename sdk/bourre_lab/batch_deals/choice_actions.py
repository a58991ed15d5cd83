"""The numbers of a bot's answers in many deals at once."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.rules.actions import Choice, Declare, Draw, NameTrump, Play
from bourre.rules.cards import Card, card_set, cards_in
from bourre_lab.batch_deals.action_numbers import CARD_ACTIONS, COME_IN, NAME_TRUMP, PASS, TAKE


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
