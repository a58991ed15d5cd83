"""Learns to imitate `monte_carlo`, which is too slow as company: `python -m research.champion.imitation`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bourre.champion.choices import card_choices
from bourre.champion.features import CARD_FEATURES, ENTRY_FEATURES, card_features, entry_features
from bourre.champion.networks import Floats, Network, new_network
from bourre.champion.suit_order import places_of
from bourre.lockstep import CARD_ACTIONS, Asked, LockstepDeals, random_decks
from bourre.lockstep.card_sets import Flags, Ints
from bourre.rules.house import HouseRules
from research.champion.adam import Trained
from research.champion.examples import EXAMPLES
from research.champion.monte_carlo import MonteCarlo
from research.champion.network_players import Imitator
from research.champion.players import Player
from research.champion.table import play_deals

SEED = 24
DEALS = 12_000
"""Deals of each number of seats."""
PASSES = 10
BATCH = 1024
FILE = Path(__file__).with_name("imitator.npz")


class Teacher(Player):
    """Plays as `monte_carlo`, and notes what it decides."""

    def __init__(self) -> None:
        self._player = MonteCarlo()
        self.entries: list[tuple[Floats, Flags, Ints]] = []
        self.plays: list[tuple[Floats, Flags, Ints]] = []

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        actions = self._player.actions(deals, rows, rng)
        nothing = np.zeros(len(rows), dtype=np.float32)
        if deals.asked[rows[0]] == Asked.PLAY:
            inputs, order = card_features(deals.state, rows, nothing, deals.house)
            allowed = card_choices(deals.legal_cards(rows), order)
            several = allowed.sum(axis=1) > 1
            labels = places_of(actions - CARD_ACTIONS, order)
            self.plays.append((inputs[several], allowed[several], labels[several]))
        else:
            free = deals.asked[rows] != Asked.DRAW
            inputs, _ = entry_features(deals.state, rows, nothing, deals.house)
            both = np.ones((len(rows), 2), dtype=np.bool_)
            self.entries.append((inputs[free], both[free], (actions[free] > 0).astype(np.int64)))
        return actions


def watch(rng: np.random.Generator) -> Teacher:
    """Returns a teacher that has played many deals at tables of every size, against itself and the examples."""
    teacher = Teacher()
    players: list[Player] = [teacher, *EXAMPLES.values()]
    for seats in range(2, 9):
        deals = LockstepDeals(HouseRules.preset("limit"), seats)
        for _ in range(DEALS // 500):
            deals.reset(random_decks(500, rng), seats)
            seating = np.where(rng.random((500, seats)) < 0.5, 0, rng.integers(1, len(players), (500, seats)))
            play_deals(deals, seating, players, rng)
    return teacher


def fit(network: Network, noted: list[tuple[Floats, Flags, Ints]], rng: np.random.Generator) -> Network:
    """Trains a network on what was noted, and prints how often it is right."""
    inputs, allowed, labels = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    trained = Trained(network)
    for number in range(PASSES):
        right = []
        order = rng.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            at = order[start : start + BATCH]
            rate = 2e-3 * (1 - number / PASSES) + 1e-4
            right.append(trained.fit_labels(inputs[at], allowed[at], labels[at], rate))
        print(f"{len(labels)} decisions, pass {number + 1}: {np.mean(right):.1%} right", flush=True)
    return trained.average


def load(path: Path = FILE) -> Imitator:
    """Returns the imitator as saved."""
    with np.load(path) as saved:
        parts = [[saved[f"{name}{number}"].astype(np.float32) for number in range(4)] for name in ("entry", "cards")]
    entry, cards = (Network((p[0], p[2]), (p[1], p[3])) for p in parts)
    return Imitator(entry, cards)


def main() -> None:
    """Watches, learns and saves."""
    rng = np.random.default_rng(SEED)
    teacher = watch(rng)
    entry = fit(new_network((ENTRY_FEATURES, 96, 2), rng), teacher.entries, rng)
    cards = fit(new_network((CARD_FEATURES, 160, 52), rng), teacher.plays, rng)
    parts: dict[str, NDArray[np.float16]] = {}
    for name, network in (("entry", entry), ("cards", cards)):
        flat = [part for pair in zip(network.weights, network.biases, strict=True) for part in pair]
        parts |= {f"{name}{number}": part.astype(np.float16) for number, part in enumerate(flat)}
    np.savez(FILE, **parts)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
