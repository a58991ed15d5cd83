"""Learns a response to tables of one bot: plays alternatives to the bot's choices, and what they win more."""

from __future__ import annotations

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer, settled_chips
from bourre_lab.best_response.alternatives import Alternatives, Family, alternatives
from bourre_lab.best_response.response import Correction, Response
from bourre_lab.policy_gains import FirstDifference, SettledTable
from bourre_lab.policy_gains.branches import Branches, Chips


class Trainer:
    """The corrections in training against tables of one bot."""

    def __init__(self, table: SettledTable, bot: BatchPlayer, seed: int) -> None:
        self._table = table
        self._bot = bot
        self._seed = seed
        self._rounds = 0
        self._corrections = {family: Correction() for family in Family}

    def learn(self, decks: int) -> None:
        """Plays this many new decks with the bot in all seats, and every alternative of every seat from there."""
        rng = np.random.default_rng([self._seed, self._rounds])
        self._rounds += 1
        deals = LockstepDeals(self._table.house, self._table.seats)
        stake = self._table.seats * self._table.house.ante
        deals.reset(random_decks(decks, rng), stake)
        seating = np.zeros((decks, deals.seats), dtype=np.int64)
        branches, lessons = Branches((self._bot,), seating, 1, rng), list[Alternatives]()
        while not deals.all_over:
            chosen = np.zeros(decks, dtype=np.int64)
            for rows in (np.flatnonzero(deals.asked < Asked.PLAY), np.flatnonzero(deals.asked == Asked.PLAY)):
                if rows.size:
                    chosen[rows] = self._bot.actions(deals, rows, rng)
                    lessons += self._branch(deals, rows, chosen, branches)
            deals.step(chosen)
        self._take_in(lessons, branches.play(settled_chips(deals)) / np.float32(stake))

    def _branch(self, deals: LockstepDeals, rows: Ints, chosen: Ints, branches: Branches) -> list[Alternatives]:
        found = list(alternatives(deals, rows, chosen[rows]))
        for one in found:
            branches.add(deals, one.rows, chosen[one.rows], one.actions)
        return found

    def _take_in(self, lessons: list[Alternatives], gains: Chips) -> None:
        ends = np.cumsum([len(one.rows) for one in lessons])
        for one, gain in zip(lessons, np.split(gains, ends[:-1]), strict=True):
            self._corrections[one.family].learn(one.facts, one.signs * gain - one.judged)

    def response(self) -> Response:
        """Returns the response so far, which may deviate at all kinds of decisions."""
        weights = {family: one.weights() for family, one in self._corrections.items() if one.has_learned}
        return Response(self._bot, weights, tuple(FirstDifference))
