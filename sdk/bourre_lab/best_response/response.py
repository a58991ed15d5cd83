"""The response: plays as the bot does, but for the decisions at which it has learned that an alternative wins more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from bourre_lab.batch_deals import LockstepDeals
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.best_response.alternatives import Alternatives, Family, alternatives
from bourre_lab.champion.weights import Floats
from bourre_lab.policy_gains.differences import FirstDifference, differences_of

CAUTION: Final = 300.0
"""How many deals the champion's judgement counts as, beside those that were played: the penalty of the regression."""


class Correction:
    """What the champion's judgements of one family lack, by ridge regression on the deals that were played."""

    def __init__(self) -> None:
        self._squares = np.zeros((0, 0))
        self._products = np.zeros(0)

    @property
    def has_learned(self) -> bool:
        """Whether there is a weight for each fact."""
        return self._products.size > 0

    def learn(self, facts: Floats, missing: Floats) -> None:
        """Adds what was missing from the judgements of these facts."""
        if not self.has_learned:
            number = facts.shape[1]
            self._squares, self._products = np.zeros((number, number)), np.zeros(number)
        self._squares += facts.T @ facts
        self._products += facts.T @ missing

    def weights(self) -> Floats:
        """Returns the weight of each fact."""
        penalty = CAUTION * np.eye(len(self._products))
        return np.linalg.solve(self._squares + penalty, self._products).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Response(BatchPlayer):
    """Plays as the bot, but takes an alternative where it is worth more, at the allowed kinds of decisions."""

    bot: BatchPlayer
    weights: Mapping[Family, Floats]
    kinds: Collection[FirstDifference]

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        chosen = self.bot.actions(deals, rows, rng)
        actions = np.zeros(len(deals.asked), dtype=np.int64)
        actions[rows] = chosen
        for others in sorted(alternatives(deals, rows, chosen), key=lambda one: -one.family):
            better = self._better(others)
            kinds = differences_of(deals, better.rows, actions[better.rows], better.actions)
            allowed = np.isin(kinds, list(self.kinds))
            actions[better.rows[allowed]] = better.actions[allowed]
        return actions[rows]

    def _better(self, others: Alternatives) -> Alternatives:
        if others.family not in self.weights:
            return others.at(np.zeros(0, dtype=np.int64))
        worth = others.signs * (others.judged + others.facts @ self.weights[others.family])
        return others.at(worth > 0)
