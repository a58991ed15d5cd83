"""Seats players at many tables, and plays the deals to their ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import Ints
from research.champion.players import Player


def play_deals(deals: LockstepDeals, seating: Ints, players: Sequence[Player], rng: np.random.Generator) -> None:
    """Plays deals that have been reset; `seating` has the player's number at each place, of shape (deals, seats)."""
    at = np.arange(len(seating))
    while not deals.all_over:
        actions = np.zeros(len(seating), dtype=np.int64)
        turn = seating[at, deals.to_act]
        for asked in (deals.asked < Asked.PLAY, deals.asked == Asked.PLAY):
            for number, player in enumerate(players):
                rows = np.flatnonzero(asked & (turn == number))
                if rows.size:
                    actions[rows] = player.actions(deals, rows, rng)
        deals.step(actions)
