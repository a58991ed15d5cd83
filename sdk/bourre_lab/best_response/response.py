"""The response: plays as the bot does, but for the decisions at which it has learned that an alternative wins more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
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
_FAMILIES: Final = {
    FirstDifference.PASSES: Family.ENTRY,
    FirstDifference.COMES_IN: Family.ENTRY,
    FirstDifference.DISCARDS: Family.DISCARDS,
    **{kind: Family.CARDS for kind in FirstDifference if kind >= FirstDifference.TRICK_1},
}


class Correction:
    """What the champion's judgements of one family lack, by ridge regression on the deals that were played."""

    def __init__(self) -> None:
        self._squares = np.zeros((0, 0))
        self._products = np.zeros(0)
        self.lessons = 0
        """The deals that were played."""

    def learn(self, facts: Floats, missing: Floats) -> None:
        """Adds what was missing from the judgements of these facts."""
        if not self._products.size:
            number = facts.shape[1]
            self._squares, self._products = np.zeros((number, number)), np.zeros(number)
        self._squares += facts.T @ facts
        self._products += facts.T @ missing
        self.lessons += len(facts)

    def weights(self) -> Floats:
        """Returns the weight of each fact."""
        penalty = CAUTION * np.eye(len(self._products))
        return np.linalg.solve(self._squares + penalty, self._products).astype(np.float32)


def worth(others: Alternatives, weights: Floats) -> Floats:
    """Returns what each alternative is worth more than the bot's choice, as a share of the pot."""
    return others.signs * (others.judged + others.facts @ weights)


@dataclass(frozen=True, slots=True)
class Response(BatchPlayer):
    """Plays as the bot, but takes an alternative where it is worth more, at the allowed kinds of decisions."""

    bot: BatchPlayer
    weights: Mapping[Family, Floats]
    kinds: Collection[FirstDifference]

    def restricted(self, kinds: Collection[FirstDifference]) -> Response:
        """Returns the same response, which deviates only at these kinds of decisions."""
        families = {_FAMILIES[kind] for kind in kinds}
        return replace(self, weights={family: self.weights[family] for family in families}, kinds=kinds)

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        chosen = self.bot.actions(deals, rows, rng)
        actions = np.zeros(len(deals.asked), dtype=np.int64)
        actions[rows] = chosen
        for others in sorted(alternatives(deals, rows, chosen, self.weights), key=lambda one: -one.family):
            better = others.at(worth(others, self.weights[others.family]) > 0)
            kinds = differences_of(deals, better.rows, actions[better.rows], better.actions)
            allowed = np.isin(kinds, list(self.kinds))
            actions[better.rows[allowed]] = better.actions[allowed]
        return actions[rows]
