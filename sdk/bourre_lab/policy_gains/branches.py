"""Deals that branch where two players of one seat part, and are played on from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.hidden_cards import deal_hidden_cards
from bourre_lab.batch_deals.table import BatchPlayer, play_deals, settled_chips
from bourre_lab.policy_gains.differences import FirstDifference, differences_of

Chips = NDArray[np.float32]
_ROWS: Final = 20_000
"""The branches that are played at once. More need more memory and are not faster."""


@dataclass(frozen=True, slots=True)
class _Copies:
    """Copies of deals in which one player goes on after its own action."""

    deals: LockstepDeals
    forks: Ints
    """The number of each copy's fork."""
    seating: Ints
    weight: float
    """How much the chips of the seat count in the gain of the fork."""


class Branches:
    """The forks of some deals, each of a seat in which the old player goes on in one branch, the new one in another.

    A fork before the play has several branches of both, each pair with other hidden cards. A fork at a card has one of
    the new player; the deal itself is that of the old one.
    """

    def __init__(self, players: Sequence[BatchPlayer], seating: Ints, samples: int, rng: np.random.Generator) -> None:
        """`seating` has the place in `players` of each seat; the first player is the old one, the last the new one."""
        self._players = players
        self._seating = seating
        self._samples = samples
        self._rng = rng
        self._copies: list[_Copies] = []
        nothing = np.zeros(0, dtype=np.int64)
        self.rows, self.seats, self.kinds = nothing, nothing, nothing
        """The deal, the seat and the `FirstDifference` of each fork."""

    def add(self, deals: LockstepDeals, rows: Ints, old: Ints, new: Ints) -> None:
        """Adds a fork in each of these deals, where the players part by these actions."""
        forks = len(self.rows) + np.arange(len(rows))
        self.rows = np.concatenate([self.rows, rows])
        self.seats = np.concatenate([self.seats, deals.to_act[rows]])
        self.kinds = np.concatenate([self.kinds, differences_of(deals, rows, old, new)])
        plays = deals.asked[rows] == Asked.PLAY
        cards, before = np.flatnonzero(plays), np.repeat(np.flatnonzero(~plays), self._samples)
        if cards.size:
            self._copy(deals.at(rows[cards]), new[cards], forks[cards], 1.0, new_goes_on=True)
        if before.size:
            copies = deals.at(rows[before])
            deal_hidden_cards(copies, self._rng)
            both = copies.at(np.arange(len(before)))
            self._copy(both, new[before], forks[before], 1 / self._samples, new_goes_on=True)
            self._copy(copies, old[before], forks[before], -1 / self._samples, new_goes_on=False)

    def _copy(self, copies: LockstepDeals, actions: Ints, forks: Ints, weight: float, *, new_goes_on: bool) -> None:
        seating = self._seating[self.rows[forks]]
        if new_goes_on:
            seating[np.arange(len(forks)), self.seats[forks]] = len(self._players) - 1
        copies.step(actions)
        self._copies.append(_Copies(copies, forks, seating, weight))

    def play(self, chips: Chips) -> Chips:
        """Plays the branches; returns the gain of each fork. `chips` are those of all seats in the deals themselves."""
        at_card = self.kinds >= FirstDifference.TRICK_1
        gains = np.where(at_card, -chips[self.rows, self.seats], 0)
        if not self._copies:
            return gains
        deals = self._copies[0].deals.beside([one.deals for one in self._copies[1:]])
        seating = np.concatenate([one.seating for one in self._copies])
        forks = np.concatenate([one.forks for one in self._copies])
        weights = np.concatenate([np.full(len(one.forks), one.weight, dtype=np.float32) for one in self._copies])
        for begin in range(0, len(forks), _ROWS):
            at = np.arange(begin, min(begin + _ROWS, len(forks)))
            part = deals.at(at)
            play_deals(part, seating[at], self._players, self._rng)
            won = settled_chips(part)[np.arange(len(at)), self.seats[forks[at]]]
            np.add.at(gains, forks[at], won * weights[at])
        return gains
