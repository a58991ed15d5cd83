"""Learns to judge as `monte_carlo` does, which is too slow as company: `python -m research.champion.imitation`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Flags, Ints
from bourre_lab.batch_deals.table import BatchPlayer, play_deals
from bourre_lab.champion.judged_choices import CARD_CHOICES
from bourre_lab.champion.network_inputs import (
    CARD_FEATURES,
    ENTRY_FEATURES,
    card_features,
    entry_features,
    ordered_cards,
)
from bourre_lab.champion.weights import Floats, NeuralNetwork
from research.champion.adam import Trained
from research.champion.examples import EXAMPLES
from research.champion.monte_carlo import MonteCarlo
from research.champion.network_players import Imitator
from research.champion.random_network import new_network

SEED = 24
DEALS = 12_000
"""Deals of each number of seats."""
PASSES = 10
BATCH = 1024
FILE = Path(__file__).with_name("imitator.npz")


class Judged(NamedTuple):
    """Decisions as the networks see them, with what the samples said of some choices, in shares of the pot."""

    inputs: Floats
    known: Flags
    values: Floats


class Teacher(MonteCarlo):
    """Plays as `monte_carlo`, and notes what its samples say."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Judged] = []
        self.plays: list[Judged] = []

    def entry_sums(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        sums = super().entry_sums(deals, rows, rng)
        free = rows[deals.asked[rows] != Asked.DRAW]
        inputs, _ = entry_features(deals.state, free, np.zeros(len(free), dtype=np.float32), deals.house)
        values = sums[deals.asked[rows] != Asked.DRAW] / (self.samples * deals.state.pot[free])
        known = np.ones((len(free), 1), dtype=np.bool_)
        self.entries.append(Judged(inputs, known, values[:, None].astype(np.float32)))
        return sums

    def card_sums(self, deals: LockstepDeals, rows: Ints, choices: Ints, rng: np.random.Generator) -> Ints:
        sums = super().card_sums(deals, rows, choices, rng)
        inputs, order = card_features(deals.state, rows, np.zeros(len(rows), dtype=np.float32), deals.house)
        there = choices < 64
        values = np.where(there, sums, 0) / (self.samples * deals.state.pot[rows])[:, None]
        values -= values.sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)
        matches = ordered_cards(order)[:, :, None] == np.where(there, choices, 0)[:, None]
        by_place = (matches * values[:, None]).sum(axis=2).astype(np.float32)
        self.plays.append(Judged(inputs, matches.any(axis=2), by_place))
        return sums


def watch(rng: np.random.Generator) -> Teacher:
    """Returns a teacher that has played many deals at tables of every size, against itself and the examples."""
    teacher = Teacher()
    players: list[BatchPlayer] = [teacher, *EXAMPLES.values()]
    for seats in range(2, 9):
        deals = LockstepDeals(HouseRules.preset("limit"), seats)
        for _ in range(DEALS // 500):
            deals.reset(random_decks(500, rng), seats)
            seating = np.where(rng.random((500, seats)) < 0.5, 0, rng.integers(1, len(players), (500, seats)))
            play_deals(deals, seating, players, rng)
    return teacher


def fit(network: NeuralNetwork, noted: list[Judged], rng: np.random.Generator) -> tuple[NeuralNetwork, float]:
    """Trains a network on what was noted; returns it with the standard deviation of what chance left in the values."""
    inputs, known, values = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    trained = Trained(network)
    error = 0.0
    for number in range(PASSES):
        errors = []
        order = rng.permutation(len(inputs))
        for start in range(0, len(order), BATCH):
            at = order[start : start + BATCH]
            rate = 2e-3 * (1 - number / PASSES) + 1e-4
            errors.append(trained.fit(inputs[at], known[at], values[at], rate))
        error = float(np.sqrt(np.mean(errors)))
        print(f"{len(inputs)} decisions, pass {number + 1}: off by {error:.4f} of the pot", flush=True)
    return trained.average, error


def load(path: Path = FILE) -> Imitator:
    """Returns the imitator as saved."""
    with np.load(path) as saved:
        parts = [[saved[f"{name}{number}"].astype(np.float32) for number in range(4)] for name in ("entry", "cards")]
        errors = saved["errors"].tolist()
    entry, cards = (NeuralNetwork((p[0], p[2]), (p[1], p[3])) for p in parts)
    return Imitator(entry, cards, *errors)


def main() -> None:
    """Watches, learns and saves."""
    rng = np.random.default_rng(SEED)
    teacher = watch(rng)
    entry, entry_error = fit(new_network((ENTRY_FEATURES, 96, 1), rng), teacher.entries, rng)
    cards, card_error = fit(new_network((CARD_FEATURES, 160, CARD_CHOICES), rng), teacher.plays, rng)
    parts: dict[str, NDArray[np.floating]] = {"errors": np.array([entry_error, card_error])}
    for name, network in (("entry", entry), ("cards", cards)):
        flat = [part for pair in zip(network.weights, network.biases, strict=True) for part in pair]
        parts |= {f"{name}{number}": part.astype(np.float16) for number, part in enumerate(flat)}
    np.savez(FILE, **parts)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
