"""The champion with a search: samples the hidden cards, plays promising cards to the end, and takes the best."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer, play_deals, settled_chips
from bourre_lab.champion.entered_hands import EnteredHands
from bourre_lab.champion.judged_choices import card_actions, card_choices
from bourre_lab.champion.network_inputs import card_features
from bourre_lab.champion.weights import Floats
from research.champion.monte_carlo import sample_play
from research.champion.network_players import Judge

ROWS = 30_000
"""The sampled deals of which some are played out at once."""
TRIES = 4
"""The deals that are sampled for each that is played out."""


@dataclass(frozen=True, slots=True)
class SearchingPlayer(BatchPlayer):
    """Plays as the champion, but searches in some tricks among the cards that the champion judges nearly the best."""

    champion: Judge
    entered: EnteredHands
    tricks: Collection[int]
    """The numbers of the tricks in which it searches, from 0."""
    samples: int
    margin: float = 0.2
    """How much worse a card may be judged than the best, as a share of the pot, to be played out."""
    errors: float = 1.0
    """How many standard errors a card must win more than the champion's."""

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        actions = self.champion.actions(deals, rows, rng)
        if deals.asked[rows[0]] != Asked.PLAY:
            return actions
        searches = np.isin(deals.state.tricks[rows], list(self.tricks))
        legal = deals.legal_cards(rows)
        at = np.flatnonzero(searches & (legal & (legal - np.uint64(1)) != 0))
        step = max(1, ROWS // (self.samples * TRIES))
        for begin in range(0, len(at), step):
            some = at[begin : begin + step]
            actions[some] = self._search(deals, rows[some], rng)
        return actions

    def _search(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        """Returns the champion's cards, or those that surely win more chips in the same samples."""
        inputs, order = card_features(deals.state, rows, np.zeros(len(rows), dtype=np.float32), deals.house)
        values = np.where(card_choices(deals.legal_cards(rows), order), self.champion.cards(inputs), -np.inf)
        best = values.argmax(axis=1)
        promising = values >= values.max(axis=1, keepdims=True) - self.margin
        open_rows = np.flatnonzero(promising.sum(axis=1) > 1)
        decisions, choices = np.nonzero(promising[open_rows])
        chips = self._chips(deals, rows[open_rows], decisions, card_actions(choices, order[open_rows[decisions]]), rng)
        own = np.flatnonzero(choices == best[open_rows[decisions]])
        beyond = chips - chips[own[decisions]]
        error = beyond.std(axis=1) / np.sqrt(self.samples)
        gains = np.zeros(values.shape, dtype=np.float32)
        gains[open_rows[decisions], choices] = beyond.mean(axis=1) - self.errors * error
        return card_actions(np.where(gains.max(axis=1) > 0, gains.argmax(axis=1), best), order)

    def _chips(
        self, deals: LockstepDeals, rows: Ints, decisions: Ints, actions: Ints, rng: np.random.Generator
    ) -> Floats:
        """Returns the chips of each action in the samples of its decision, of shape (actions, samples)."""
        copies = self._sampled(deals, rows, rng)
        branches = copies.at((decisions[:, None] * self.samples + np.arange(self.samples)).ravel())
        seats = branches.to_act.copy()
        branches.step(np.repeat(actions, self.samples))
        play_deals(branches, np.zeros((len(seats), deals.seats), dtype=np.int64), [self.champion], rng)
        chips: Floats = settled_chips(branches)[np.arange(len(seats)), seats]
        return chips.reshape(-1, self.samples)

    def _sampled(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> LockstepDeals:
        """Returns copies of each deal with sampled hands, drawn by their weights from more of them."""
        tried = np.repeat(rows, self.samples * TRIES)
        sampled = sample_play(deals, tried, rng)
        keys = self.entered.log_weights(sampled, deals.to_act[tried]) + rng.gumbel(size=len(tried))
        kept = np.argsort(-keys.reshape(-1, self.samples * TRIES), axis=1)[:, : self.samples]
        kept += np.arange(len(rows))[:, None] * self.samples * TRIES
        copies = deals.at(np.repeat(rows, self.samples))
        copies.state.hands = sampled.hands[kept.ravel()]
        return copies
