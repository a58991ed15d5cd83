"""Measures the champion in training against the imitator of `monte_carlo`, on the same decks."""

from __future__ import annotations

from typing import Final

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.weights import NeuralNetwork
from bourre_lab.policy_gains import SettledTable, measure_gains
from bourre_lab.policy_gains.gains import QUANTILE
from research.champion import imitation
from research.champion.examples import EXAMPLES
from research.champion.league import FIELD
from research.champion.network_players import Judge

DEALS: Final = 4000
SEED: Final = 7
SIZES: Final = (3, 5, 7)


def evaluate(entry: NeuralNetwork, cards: NeuralNetwork, deals: int = DEALS) -> dict[str, float]:
    """Returns how many chips more per 100 deals the champion wins than the imitator in its seat, by field."""
    found = {}
    for seats in SIZES:
        for field, others in (("mixed", mixed_field(seats)), ("alone", ())):
            table = SettledTable(HouseRules.preset("limit"), seats, others)
            gain = measure_gains(table, Judge(entry, cards), imitation.load(), deals, SEED, samples=1).total
            found[f"{field}{seats}"] = round(gain.mean, 1)
            found[f"{field}{seats}_error"] = round(gain.half_width / QUANTILE, 1)
    return found


def mixed_field(seats: int) -> tuple[BatchPlayer, ...]:
    """Returns the others of a mixed field: `monte_carlo`'s imitator and the first examples."""
    return imitation.load(), *(EXAMPLES[name] for name in FIELD[: seats - 2])
