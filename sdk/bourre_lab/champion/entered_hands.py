"""How much likelier a hand is if the champion came in with it and drew so many cards."""

from __future__ import annotations

from typing import Final

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.action_numbers import COME_IN, NAME_TRUMP, TAKE
from bourre_lab.batch_deals.card_sets import ACES, KINGS, NONE, SUIT_SETS, Flags, Ints, Sets, count
from bourre_lab.batch_deals.state import State
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.weights import Floats

_SHAPE: Final = (2, 7, 6, 3, 2)
"""Whether the seat deals, its draw from -1, its trumps, its trumps from the king, and whether it has another ace."""
_UNKNOWN: Final = np.float32(20)
"""The hands as dealt that are added to those of each draw, so that a draw without hands says nothing."""


class EnteredHands:
    """Weights of sampled hands, by what the champion came in with in as many deals of one house and table size."""

    def __init__(
        self, champion: BatchPlayer, house: HouseRules, seats: int, rng: np.random.Generator, decks: int
    ) -> None:
        deals = LockstepDeals(house, seats)
        deals.reset(random_decks(decks, rng), seats * house.ante)
        dealt = deals.at(np.arange(decks)).state
        while (rows := np.flatnonzero(deals.asked < Asked.PLAY)).size:
            actions = np.zeros(decks, dtype=np.int64)
            actions[rows] = champion.actions(deals, rows, rng)
            actions[(actions >= TAKE) & (actions < NAME_TRUMP)] -= TAKE - COME_IN  # who took a card is not judged
            deals.step(actions, rows)
        everyone, came = np.ones((decks, seats), dtype=np.bool_), deals.state.plays == 1
        undrawn = np.full((decks, seats), -1)
        expected = _shares(_counts(dealt, everyone, undrawn)[:, :1] + np.float32(0.5))
        dealt.trump = deals.state.trump
        entered = _counts(deals.state, came, deals.state.drawn.astype(np.int64))
        entered[:, 0] = _counts(dealt, came, undrawn)[:, 0]
        self._house = house
        self._logs = np.log(_shares(entered + _UNKNOWN * expected) / expected)

    def log_weights(self, state: State, seats: Ints) -> Floats:
        """Returns the logarithm of each sampled deal's weight; the seats that sample know their own hands.

        A seat that is in and has not drawn holds what it came in with. A dealer who took the turned card is not judged.
        """
        places = np.arange(state.plays.shape[1])
        inside = (state.plays == 1) & (places != seats[:, None])
        if self._house.dealer_may_take_turned:
            inside &= (state.dead != NONE)[:, None] | (places != places[-1])
        logs = self._logs[_classes(state, state.hands | state.played, state.drawn.astype(np.int64))]
        weights: Floats = np.where(inside, logs, 0).sum(axis=1).astype(np.float32)
        return weights


def _classes(state: State, hands: Sets, drawn: Ints) -> tuple[Ints, ...]:
    trumps = SUIT_SETS[state.trump][:, None]
    deals = np.broadcast_to(np.arange(hands.shape[1]) == hands.shape[1] - 1, hands.shape).astype(np.int64)
    high = np.minimum(count(hands & trumps & KINGS), 2)
    return deals, drawn + 1, count(hands & trumps), high, np.minimum(count(hands & ~trumps & ACES), 1)


def _counts(state: State, where: Flags, drawn: Ints) -> Floats:
    """Returns how many hands are of each class."""
    found = np.zeros(_SHAPE, dtype=np.float32)
    np.add.at(found, tuple(facts[where] for facts in _classes(state, state.hands, drawn)), 1)
    return found


def _shares(counts: Floats) -> Floats:
    """Returns the share of each class among the hands of its seats with as many drawn cards."""
    shares: Floats = counts / counts.sum(axis=(2, 3, 4), keepdims=True)
    return shares
