"""Measures the champion in sessions with carried pots: `python research/measurements/champion_sessions.py`.

At every table of five, the champion meets four others drawn at random: `champion_1`, `monte_carlo` or examples; with
`--among NAME`, copies of that one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer, play_deals
from bourre_lab.champion.weights import CHAMPION, SHA256, Floats, frozen_networks
from research.champion.examples import EXAMPLES, Random
from research.champion.monte_carlo import MonteCarlo
from research.champion.network_players import Judge

NETWORKS: Final = (CHAMPION, "champion_1")
SEED: Final = 77
SEATS: Final = 5
HOUSE: Final = HouseRules.preset("limit")
QUANTILE: Final = 1.96


def draw_seating(tables: int, others: int, rng: np.random.Generator) -> Ints:
    """Returns who sits where, of shape (tables, seats): the champion is 0, and only an only other sits twice."""
    company = np.tile(rng.random((tables, others)).argsort(axis=1) + 1, SEATS - 1)[:, : SEATS - 1]
    seated = np.concatenate([np.zeros((tables, 1), dtype=np.int64), company], axis=1)
    return np.take_along_axis(seated, rng.random(seated.shape).argsort(axis=1), axis=1)


def play_sessions(seating: Ints, players: Sequence[BatchPlayer], length: int, seed: int) -> Floats:
    """Plays a session of that many deals at each table, and returns the chips of each seat."""
    rng = np.random.default_rng(seed)
    tables = len(seating)
    balances = np.zeros((tables, SEATS))
    exempt = np.zeros((tables, SEATS), dtype=np.bool_)
    carried = np.zeros(tables, dtype=np.int64)
    deals = LockstepDeals(HOUSE, SEATS)
    for number in range(length):
        antes = np.where(exempt, 0, HOUSE.ante)
        pots = carried + antes.sum(axis=1)
        assert HOUSE.pot_limit is not None
        worth = (HOUSE.ante / np.maximum(1, np.minimum(pots, HOUSE.pot_limit))).astype(np.float32)
        for player in players:
            if isinstance(player, Judge):
                player.exempt = worth
        places = (np.arange(SEATS) + number) % SEATS  # the seat at each place from the dealer's left
        deals.reset(random_decks(tables, rng), pots)
        play_deals(deals, seating[:, places], players, rng)
        settled = deals.settle()
        balances -= antes
        balances[:, places] += settled.chips
        exempt[:, places] = settled.exempt
        carried = settled.next_pot
    return (balances + carried[:, None] / SEATS).astype(np.float32)


def main() -> None:
    """Prints how much more the champion wins than each of the others, at the tables that they share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=50, help="deals in each session")
    parser.add_argument("--samples", type=int, default=24, help="samples of monte_carlo")
    parser.add_argument("--among", help="the only other, such as champion_1")
    arguments = parser.parse_args()
    networks = {name: frozen_networks(name) for name in NETWORKS}
    players: dict[str, BatchPlayer] = {name: Judge(one.entry, one.cards) for name, one in networks.items()}
    players |= {"monte_carlo": MonteCarlo(arguments.samples), **EXAMPLES, "random": Random()}
    names = [CHAMPION, arguments.among] if arguments.among else list(players)
    seating = draw_seating(arguments.tables, len(names) - 1, np.random.default_rng(SEED))
    chips = play_sessions(seating, [players[name] for name in names], arguments.deals, SEED)
    own = np.where(seating == 0, chips, 0).sum(axis=1)
    print(f"champion {SHA256[CHAMPION][:12]}, {arguments.tables} sessions of {arguments.deals} deals, five seats")
    for number in range(1, len(names)):
        there = seating == number
        tables = there.any(axis=1)
        theirs = np.where(there, chips, 0).sum(axis=1)[tables] / there.sum(axis=1)[tables]
        gains = (own[tables] - theirs) * 100 / arguments.deals
        error = QUANTILE * gains.std() / np.sqrt(len(gains))
        print(f"{names[number]}: {gains.mean():+.1f} ± {error:.1f} chips per 100 deals")


if __name__ == "__main__":
    main()
