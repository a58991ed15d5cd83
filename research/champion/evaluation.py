"""Measures the champion in training against those before it, on the same decks."""

from __future__ import annotations

from typing import Final

from bourre.rules.house import HouseRules
from bourre_lab.champion.weights import Networks, frozen_networks
from bourre_lab.policy_gains import SettledTable, measure_gains
from research.champion import imitation
from research.champion.network_players import Judge

DECKS: Final = 4000
SEED: Final = 7
SIZES: Final = (3, 5, 7)


def evaluate(networks: Networks, decks: int = DECKS) -> dict[str, tuple[float, float]]:
    """Returns how many chips per 100 deals the champion wins more than the player that all seats have, in one of
    them, by player and seats, each with half of the 95 % interval."""
    first, found = frozen_networks("champion_1"), {}
    olds = {"champion_1": Judge(first.entry, first.cards), "monte_carlo": imitation.load()}
    for name, old in olds.items():
        for seats in SIZES:
            table = SettledTable(HouseRules.preset("limit"), seats)
            gain = measure_gains(table, Judge(networks.entry, networks.cards), old, decks, SEED, samples=1).total
            found[f"{name} {seats}"] = round(gain.mean, 2), round(gain.half_width, 2)
    return found
