"""Measures the champion in training against the imitator of `monte_carlo`, on the same decks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.champion.weights import Floats, NeuralNetwork
from research.champion import imitation
from research.champion.examples import EXAMPLES
from research.champion.league import FIELD
from research.champion.network_players import Judge
from research.champion.players import Player
from research.champion.table import play_deals

DEALS: Final = 4000
SEED: Final = 7
SIZES: Final = (3, 5, 7)
UNITS: Final = 840


def evaluate(entry: NeuralNetwork, cards: NeuralNetwork, deals: int = DEALS) -> dict[str, float]:
    """Returns how many chips more per 100 deals the champion wins than the imitator in its seat, by field."""
    found = {}
    baseline = imitation.load()
    for seats in SIZES:
        champion = Judge(entry, cards, np.zeros(deals, dtype=np.float32))
        for field, others in (("mixed", mixed_field(seats)), ("alone", [baseline] * (seats - 1))):
            gains = compare(champion, baseline, others, deals, np.random.default_rng([SEED, seats]))
            found[f"{field}{seats}"] = round(float(gains.mean() * 100), 1)
            found[f"{field}{seats}_error"] = round(float(gains.std() * 100 / np.sqrt(deals)), 1)
    return found


def mixed_field(seats: int) -> list[Player]:
    """Returns the others of a mixed field: `monte_carlo`'s imitator and the first examples."""
    return [imitation.load(), *(EXAMPLES[name] for name in FIELD[: seats - 2])]


def compare(first: Player, second: Player, others: Sequence[Player], count: int, rng: np.random.Generator) -> Floats:
    """Returns the chips that the first wins more than the second in the same seats, in each deal."""
    seats = len(others) + 1
    decks = random_decks(count, rng)
    seating = rng.random((count, seats)).argsort(axis=1)
    chips = []
    for player in (first, second):
        deals = LockstepDeals(HouseRules.preset("limit"), seats)
        deals.reset(decks, seats)
        play_deals(deals, seating, [player, *others], np.random.default_rng(SEED))
        chips.append(settled_chips(deals)[np.arange(count), np.argmin(seating, axis=1)])
    gains: Floats = chips[0] - chips[1]
    return gains


def settled_chips(deals: LockstepDeals) -> Floats:
    """Returns what each seat takes and pays, with what is left of the pot in equal shares, of shape (deals, seats)."""
    settled = deals.settle()
    total: Ints = settled.chips - deals.state.paid
    return (total + settled.next_pot[:, None] / deals.seats).astype(np.float32)
