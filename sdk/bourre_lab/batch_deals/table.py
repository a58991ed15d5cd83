"""Seats players at many tables, and plays the deals to their ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bourre_lab.batch_deals.action_numbers import Asked
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.deals import LockstepDeals


class BatchPlayer(Protocol):
    """Plays the seats to act of some deals."""

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        """Returns an action for each of these deals, all of which ask before the play, or all for a card."""


def play_deals(deals: LockstepDeals, seating: Ints, players: Sequence[BatchPlayer], rng: np.random.Generator) -> None:
    """Plays deals to their ends; `seating` has the player's number at each place, of shape (deals, seats)."""
    while not deals.all_over:
        deals.step(chosen_actions(deals, seating, players, rng))


def chosen_actions(
    deals: LockstepDeals, seating: Ints, players: Sequence[BatchPlayer], rng: np.random.Generator
) -> Ints:
    """Returns the action of the seat to act in each deal; 0 where the deal is over."""
    actions = np.zeros(len(seating), dtype=np.int64)
    turn = seating[np.arange(len(seating)), deals.to_act]
    for asked in (deals.asked < Asked.PLAY, deals.asked == Asked.PLAY):
        for number, player in enumerate(players):
            rows = np.flatnonzero(asked & (turn == number))
            if rows.size:
                actions[rows] = player.actions(deals, rows, rng)
    return actions


def settled_chips(
    deals: LockstepDeals, unit: int = 1, exempt: NDArray[np.float32] | float = 0.0
) -> NDArray[np.float32]:
    """Returns what each seat takes and pays, with what is left of the pot in equal shares, of shape (deals, seats).

    It is in units of this many chips. An exemption from the next ante is worth `exempt` of them, by deal.
    """
    settled = deals.settle()
    chips: NDArray[np.float64] = settled.chips - deals.state.paid + settled.next_pot[:, None] / deals.seats
    chips = chips / unit + settled.exempt * np.reshape(exempt, (-1, 1))
    return chips.astype(np.float32)
