"""How much likelier a hand is if the champion came in with it and drew so many cards."""

from __future__ import annotations

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import SUIT_SETS, Ints, Sets, count
from bourre_lab.batch_deals.state import State
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.weights import Floats
from research.champion.monte_carlo import ACES, KINGS

DECKS = 40_000
_SHAPE = (2, 7, 6, 3, 2)
"""Whether the seat deals, its draw from -1, its trumps, its trumps from the king, and whether it has another ace."""


class EnteredHands:
    """Weights of sampled hands, by what the champion came in with in as many deals of one house and table size."""

    def __init__(
        self, champion: BatchPlayer, house: HouseRules, seats: int, rng: np.random.Generator, decks: int = DECKS
    ) -> None:
        deals = LockstepDeals(house, seats)
        deals.reset(random_decks(decks, rng), seats * house.ante)
        dealt = deals.at(np.arange(decks)).state
        while (rows := np.flatnonzero(deals.asked < Asked.PLAY)).size:
            actions = np.zeros(decks, dtype=np.int64)
            actions[rows] = champion.actions(deals, rows, rng)
            deals.step(actions, rows)
        entered = _counts(deals.state, deals.state.plays == 1, deals.state.drawn.astype(np.int64))
        expected = _counts(dealt, np.ones((decks, seats), dtype=np.bool_), np.zeros((decks, seats), dtype=np.int64))
        shares = entered / entered.sum(axis=(2, 3, 4), keepdims=True)
        self._logs = np.log(shares / (expected / expected.sum(axis=(2, 3, 4), keepdims=True))[:, 1:2])

    def log_weights(self, state: State, seats: Ints) -> Floats:
        """Returns the logarithm of each sampled deal's weight; the seats that sample know their own hands."""
        inside = (state.plays == 1) & (np.arange(state.plays.shape[1]) != seats[:, None])
        logs = self._logs[_classes(state, state.hands | state.played, state.drawn.astype(np.int64))]
        weights: Floats = np.where(inside, logs, 0).sum(axis=1).astype(np.float32)
        return weights


def _classes(state: State, hands: Sets, drawn: Ints) -> tuple[Ints, ...]:
    trumps = SUIT_SETS[state.trump][:, None]
    deals = np.broadcast_to(np.arange(hands.shape[1]) == hands.shape[1] - 1, hands.shape).astype(np.int64)
    high = np.minimum(count(hands & trumps & KINGS), 2)
    return deals, drawn + 1, count(hands & trumps), high, np.minimum(count(hands & ~trumps & ACES), 1)


def _counts(state: State, where: np.ndarray[tuple[int, int], np.dtype[np.bool_]], drawn: Ints) -> Floats:
    """Returns how many hands are of each class, and a little more, so that none is impossible."""
    found = np.full(_SHAPE, 0.5, dtype=np.float32)
    np.add.at(found, tuple(facts[where] for facts in _classes(state, state.hands, drawn)), 1)
    return found
