"""What the champion does in many deals at once."""

from __future__ import annotations

import numpy as np

from bourre.champion.judged_choices import card_actions, card_choices, entry_actions, entry_choices
from bourre.champion.network_inputs import card_features, entry_features
from bourre.champion.networks import Floats
from bourre.champion.weights import frozen_networks
from bourre.lockstep import CARD_ACTIONS, Asked, LockstepDeals
from bourre.lockstep.card_sets import Ints, lowest


def champion_actions(deals: LockstepDeals, rows: Ints, exempt: Floats) -> Ints:
    """Returns the champion's actions in these deals, which all ask for a card, or all for something else."""
    if deals.asked[rows[0]] == Asked.PLAY:
        return _cards(deals, rows, exempt)
    state = deals.state
    inputs, order = entry_features(state, rows, exempt, deals.house)
    hands, trump = state.hands[rows, deals.to_act[rows]], state.trump[rows]
    allowed = entry_choices(state.asked[rows], hands, trump, deals.max_discards)
    choices = np.where(allowed, frozen_networks().entry(inputs), -np.inf).argmax(axis=1)
    return entry_actions(choices, hands, trump, order)


def _cards(deals: LockstepDeals, rows: Ints, exempt: Floats) -> Ints:
    """Returns the plays of cards; the networks are asked only where there is a choice."""
    legal = deals.legal_cards(rows)
    actions = lowest(legal) + CARD_ACTIONS
    free = np.flatnonzero(legal & (legal - np.uint64(1)))
    if free.size:
        inputs, order = card_features(deals.state, rows[free], exempt[free], deals.house)
        values = np.where(card_choices(legal[free], order), frozen_networks().cards(inputs), -np.inf)
        actions[free] = card_actions(values.argmax(axis=1), order)
    return actions
