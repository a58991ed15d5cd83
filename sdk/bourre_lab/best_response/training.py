"""Learns a response to tables of one bot: plays alternatives to the bot's choices, and what they win more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer, settled_chips
from bourre_lab.best_response.alternatives import Alternatives, Family, alternatives
from bourre_lab.best_response.response import Correction, Response, worth
from bourre_lab.champion.weights import Floats
from bourre_lab.policy_gains import FirstDifference, SettledTable
from bourre_lab.policy_gains.branches import Branches, Chips

RARELY: Final = 8
"""Discards and cards are tried in one of so many rounds, because most bots lose most by who comes in."""
SETTLED: Final = 20_000
"""After so many lessons about coming in, only decisions near the border are tried."""
NEAR: Final = 0.12
"""How far from the border, as a share of the pot."""


class Trainer:
    """The corrections in training against tables of one bot."""

    def __init__(self, table: SettledTable, bot: BatchPlayer, seed: int) -> None:
        self._table = table
        self._bot = bot
        self._seed = seed
        self._rounds = 0
        self._corrections = {family: Correction() for family in Family}
        self._settled: Floats | None = None
        """The weights by which a decision about coming in is near the border."""

    def learn(self, decks: int) -> None:
        """Plays this many new decks with the bot in all seats, and the alternatives of every seat from there.

        The chips of the decks themselves count only for cards.
        """
        rng = np.random.default_rng([self._seed, self._rounds])
        deals = LockstepDeals(self._table.house, self._table.seats)
        stake = self._table.seats * self._table.house.ante
        deals.reset(random_decks(decks, rng), stake)
        seating = np.zeros((decks, deals.seats), dtype=np.int64)
        branches, lessons = Branches((self._bot,), seating, 1, rng), list[Alternatives]()
        everything = self._rounds % RARELY == 0
        families = tuple(Family) if everything else (Family.ENTRY,)
        while not (deals.all_over if everything else (deals.asked >= Asked.PLAY).all()):
            chosen = np.zeros(decks, dtype=np.int64)
            for rows in (np.flatnonzero(deals.asked < Asked.PLAY), np.flatnonzero(deals.asked == Asked.PLAY)):
                if rows.size:
                    chosen[rows] = self._bot.actions(deals, rows, rng)
                    lessons += self._branch(branches, alternatives(deals, rows, chosen[rows], families), deals, chosen)
            deals.step(chosen)
        chips = settled_chips(deals) if everything else np.zeros((decks, deals.seats), dtype=np.float32)
        self._take_in(lessons, branches.play(chips) / np.float32(stake))
        self._rounds += 1

    def _branch(
        self, branches: Branches, found: Iterator[Alternatives], deals: LockstepDeals, chosen: Ints
    ) -> list[Alternatives]:
        """Returns the alternatives that are tried."""
        tried = [self._near(one) if one.family == Family.ENTRY else one for one in found]
        for one in tried:
            branches.add(deals, one.rows, chosen[one.rows], one.actions)
        return tried

    def _near(self, entries: Alternatives) -> Alternatives:
        if self._settled is None:
            return entries
        return entries.at(np.abs(worth(entries, self._settled)) < NEAR)

    def _take_in(self, lessons: list[Alternatives], gains: Chips) -> None:
        ends = np.cumsum([len(one.rows) for one in lessons])
        for one, gain in zip(lessons, np.split(gains, ends), strict=False):  # the last part is empty
            self._corrections[one.family].learn(one.facts, one.signs * gain - one.judged)
        entry = self._corrections[Family.ENTRY]
        if entry.lessons > SETTLED and self._rounds % RARELY == 0:
            self._settled = entry.weights()

    def response(self) -> Response:
        """Returns the response so far, which may deviate at all kinds of decisions."""
        weights = {family: one.weights() for family, one in self._corrections.items() if one.lessons}
        return Response(self._bot, weights, tuple(FirstDifference))
