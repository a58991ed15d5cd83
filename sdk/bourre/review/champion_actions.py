"""What the champion does in many deals at once."""

from __future__ import annotations

import numpy as np

from bourre.champion.judged_choices import card_actions, card_choices, entry_actions, entry_choices
from bourre.champion.network_inputs import card_features, entry_features
from bourre.champion.networks import Floats
from bourre.champion.weights import frozen_networks
from bourre.lockstep import Asked, LockstepDeals
from bourre.lockstep.card_sets import Ints


def champion_actions(deals: LockstepDeals, rows: Ints, exempt: Floats) -> Ints:
    """Returns the champion's actions in these deals, which all ask for a card, or all for something else."""
    state, networks = deals.state, frozen_networks()
    if deals.asked[rows[0]] == Asked.PLAY:
        inputs, order = card_features(state, rows, exempt, deals.house)
        allowed = card_choices(deals.legal_cards(rows), order)
        return card_actions(np.where(allowed, networks.cards(inputs), -np.inf).argmax(axis=1), order)
    inputs, order = entry_features(state, rows, exempt, deals.house)
    hands, trump = state.hands[rows, deals.to_act[rows]], state.trump[rows]
    allowed = entry_choices(state.asked[rows], hands, trump, deals.max_discards)
    choices = np.where(allowed, networks.entry(inputs), -np.inf).argmax(axis=1)
    return entry_actions(choices, hands, trump, order)
