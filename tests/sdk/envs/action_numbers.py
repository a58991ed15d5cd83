"""The numbers of actions, the other way round from `action_space.choice_of`."""

from __future__ import annotations

from bourre.envs.action_space import CARD, COME_IN, FIRST_CARD, PASS, TAKE, TRUMP
from bourre.rules.actions import Action, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.errors import InvalidAction
from bourre.rules.view import View


def number_of(choice: Action, view: View) -> int:
    """Returns the action for a choice in this view; raises InvalidAction for what no bot chooses."""
    if isinstance(choice, Play | Recall):
        return CARD + choice.card - FIRST_CARD
    if isinstance(choice, NameTrump):
        return TRUMP + choice.trump
    if isinstance(choice, Stay):
        return COME_IN if choice.stays else PASS
    if isinstance(choice, Declare | Draw):
        if isinstance(choice, Declare) and not choice.plays:
            return PASS
        subset = sum(1 << view.hand.index(card) for card in choice.discards)
        return subset + (TAKE if choice.takes else COME_IN)
    raise InvalidAction(f"{choice} is not a choice of a bot, so that no action stands for it")
