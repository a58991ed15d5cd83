"""The champion's actions in many deals at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.action_numbers import CARD_ACTIONS
from bourre_lab.batch_deals.card_sets import Flags, Ints, lowest
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.judged_choices import card_actions, card_choices, entry_actions, entry_choices
from bourre_lab.champion.network_inputs import card_features, entry_features
from bourre_lab.champion.weights import CHAMPION, Floats, frozen_networks

Choose = Callable[[bool, Ints, Floats, Flags], Ints]
"""A function of whether cards are played, the rows, their inputs and allowed choices. It returns a choice per row."""


def champion_actions(deals: LockstepDeals, rows: Ints, exempt: Floats) -> Ints:
    """Returns the champion's actions in deals that all ask for a card or all for something else."""
    networks = frozen_networks(CHAMPION)

    def choose(plays: bool, _: Ints, inputs: Floats, allowed: Flags) -> Ints:
        return best_choices((networks.cards if plays else networks.entry)(inputs), allowed)

    return judged_actions(deals, rows, exempt, choose)


def best_choices(values: Floats, allowed: Flags) -> Ints:
    """Returns the allowed choice with the highest value in each row, the first if tied."""
    best: Ints = np.where(allowed, values, -np.inf).argmax(axis=1)
    return best


def judged_actions(
    deals: LockstepDeals, rows: Ints, exempt: Floats, choose: Choose, *, takes_turned: bool = True
) -> Ints:
    """Returns the actions of `choose` in deals that all ask for a card or all for something else.

    With `takes_turned`, a dealer who may take the turned card for one of its discards takes it (R3.2).
    """
    if deals.asked[rows[0]] == Asked.PLAY:
        return judged_plays(deals, rows, exempt, choose)
    state = deals.state
    inputs, order = entry_features(state, rows, exempt, deals.house)
    hands, trump = state.hands[rows, deals.to_act[rows]], state.trump[rows]
    allowed = entry_choices(state.asked[rows], hands, trump, deals.max_discards)
    takes = takes_turned & deals.may_take_turned(rows)
    return entry_actions(choose(False, rows, inputs, allowed), hands, trump, order, takes)


def judged_plays(deals: LockstepDeals, rows: Ints, exempt: Floats, choose: Choose) -> Ints:
    """Returns the cards to play. Calls `choose` only for deals with a choice."""
    legal = deals.legal_cards(rows)
    actions = lowest(legal) + CARD_ACTIONS
    free = np.flatnonzero(legal & (legal - np.uint64(1)))
    if free.size:
        inputs, order = card_features(deals.state, rows[free], exempt[free], deals.house)
        allowed = card_choices(legal[free], order)
        actions[free] = card_actions(choose(True, rows[free], inputs, allowed), order)
    return actions


@dataclass(frozen=True, slots=True)
class BatchChampion(BatchPlayer):
    """Plays as `ChampionBot` in many deals that are settled one by one."""

    networks: str = CHAMPION
    blur: float = 0.0
    """The standard deviation of an error in each value, as in `ChampionBot`."""

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        networks = frozen_networks(self.networks)

        def choose(plays: bool, _: Ints, inputs: Floats, allowed: Flags) -> Ints:
            values = (networks.cards if plays else networks.entry)(inputs)
            if self.blur:
                values += rng.normal(0, self.blur, values.shape).astype(np.float32)
            return best_choices(values, allowed)

        return judged_actions(deals, rows, np.zeros(len(rows), dtype=np.float32), choose)
