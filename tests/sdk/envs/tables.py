"""Every table that can be played at: presets and numbers of seats."""

from __future__ import annotations

from bourre.rules.actions import Action, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.house import MAX_SEATS, MIN_SEATS, PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.view import View
from bourre_lab.envs.action_space import CARD, COME_IN, FIRST_CARD, PASS, TAKE, TRUMP


def number_of(choice: Action, view: View) -> int:
    """Returns the action for a choice in this view."""
    if isinstance(choice, Play | Recall):
        return CARD + choice.card - FIRST_CARD
    if isinstance(choice, NameTrump):
        return TRUMP + choice.trump
    if isinstance(choice, Stay):
        return COME_IN if choice.stays else PASS
    assert isinstance(choice, Declare | Draw)
    if isinstance(choice, Declare) and not choice.plays:
        return PASS
    return sum(1 << view.hand.index(card) for card in choice.discards) + (TAKE if choice.takes else COME_IN)


HOUSES = {name: HouseRules.preset(name) for name in PRESETS}


def sizes(preset: str) -> range:
    """The numbers of seats that play by this preset."""
    return range(MIN_SEATS, PRESET_SEATS.get(preset, MAX_SEATS) + 1)
