"""Deals anew what no seat that has acted knows: the order of the stock, and the hands of the seats still to act."""

from __future__ import annotations

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals.action_numbers import Asked
from bourre_lab.batch_deals.card_sets import CARD_COUNT, Flags, sets_of
from bourre_lab.batch_deals.deals import LockstepDeals


def deal_hidden_cards(deals: LockstepDeals, rng: np.random.Generator) -> None:
    """Shuffles the hidden cards of deals that ask before the play.

    They are as likely as the former ones after all that has happened. A deal whose stock has been replenished keeps
    its cards, and so do the hands where the house rules let a seat see or say something out of turn.
    """
    state, house, seats = deals.state, deals.house, deals.seats
    to_come = np.zeros((len(state.to_act), seats), dtype=np.bool_)
    if _acts_in_turn(house):
        declares = (state.asked == Asked.ENTER) | (state.asked == Asked.DECLARE)
        to_come = (np.arange(seats) > state.to_act[:, None]) & declares[:, None] & ~state.stocks.replenished[:, None]
    decks = state.stocks.shuffle_undealt(_free_places(to_come, house), rng)
    size = seats * house.cards
    for seat in range(seats):
        rows = np.flatnonzero(to_come[:, seat])
        state.hands[rows, seat] = np.bitwise_or.reduce(sets_of(decks[rows, seat:size:seats]), axis=1)


def _acts_in_turn(house: HouseRules) -> bool:
    """Whether a seat that is yet to declare has not used its hand, and could hold any undealt card."""
    return not (house.declares_at_once or house.dealer_names_trump or house.returns_turned)


def _free_places(to_come: Flags, house: HouseRules) -> Flags:
    """Returns the places of the decks with the hands of these seats, without the turned card."""
    deals, seats = to_come.shape
    free = np.zeros((deals, CARD_COUNT), dtype=np.bool_)
    free[:, : seats * house.cards] = np.tile(to_come, house.cards)
    if house.dealer_holds_turned:
        free[:, seats * house.cards - 1] = False
    return free
