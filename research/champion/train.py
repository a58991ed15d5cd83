"""Trains the champion: `python -m research.champion.train` goes on from the folder's checkpoint, or from nothing.

Each iteration plays deals among champions of all ages and other bots, branches them at some decisions of the learner,
and moves the networks to what the choices brought. Differences between choices count more than what all have in
common, which is mostly the luck of the deal.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.judged_choices import CARD_CHOICES, ENTRY_CHOICES
from bourre_lab.champion.network_inputs import CARD_FEATURES, ENTRY_FEATURES
from bourre_lab.champion.weights import Floats, Networks, frozen_networks
from research.champion import imitation
from research.champion.adam import Trained
from research.champion.checkpoint import Learner, new_learner, resume, save
from research.champion.evaluation import evaluate
from research.champion.examples import EXAMPLES, Random
from research.champion.league import FIELD, OTHERS, draw_tables
from research.champion.lessons import Lessons, branched_lessons, joined
from research.champion.network_players import Judge
from research.champion.random_network import new_network

SEED: Final = 2411
FOLDER: Final = Path(__file__).parent
CHECKPOINT: Final = FOLDER / "checkpoint.npz"
ITERATIONS: Final = 64
ENTRY_HIDDEN: Final = (256, 128)
CARDS_HIDDEN: Final = (512, 256)
SIZES: Final = 8
"""How many times an iteration draws house rules and a number of seats."""
SEATS: Final = 24_000
"""About how many seats are played each time."""
PASSES: Final = 3
"""How often an iteration's lessons are learnt."""
BATCH: Final = 512
FIRST_RATE, LAST_RATE = 1e-3, 2e-5
CONTRAST: Final = 4.0
"""How much differences between choices count beside what they have in common."""
ANCESTOR_EVERY: Final = 4
CURVE_EVERY: Final = 8


def start(path: Path) -> Learner:
    """Returns the learner of the checkpoint, or a new one."""
    rng = np.random.default_rng(SEED)
    entry = new_network((ENTRY_FEATURES, *ENTRY_HIDDEN, ENTRY_CHOICES), rng)
    cards = new_network((CARD_FEATURES, *CARDS_HIDDEN, CARD_CHOICES), rng)
    learner = new_learner(Networks(entry, cards))
    if path.exists():
        resume(learner, path)
    return learner


def learn(learner: Learner, company: Sequence[BatchPlayer]) -> None:
    """Plays and learns one iteration."""
    rng = np.random.default_rng([SEED, learner.iteration])
    ancestor, first = learner.ancestors[rng.integers(len(learner.ancestors))], frozen_networks("champion_1")

    def seated(exempt: Floats) -> list[BatchPlayer]:
        old, oldest = (Judge(networks.entry, networks.cards, exempt) for networks in (ancestor, first))
        return [old, *company, oldest]

    networks = learner.average
    parts = [branched_lessons(draw_tables(SEATS, rng), networks, seated, rng) for _ in range(SIZES)]
    for trained, learnt in zip((learner.entry, learner.cards), zip(*parts, strict=True), strict=True):
        _fit(trained, joined(learnt), learner.iteration / ITERATIONS, rng)
    learner.iteration += 1
    if learner.iteration % ANCESTOR_EVERY == 0:
        learner.ancestors.append(learner.average)


def _fit(trained: Trained, lessons: Lessons, done: float, rng: np.random.Generator) -> None:
    rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + np.cos(np.pi * done)) / 2
    order = np.concatenate([rng.permutation(len(lessons.inputs)) for _ in range(PASSES)])
    for begin in range(0, len(order), BATCH):
        at = order[begin : begin + BATCH]
        part = lessons.inputs[at], lessons.tried[at], lessons.brought[at]
        trained.fit(*part, rate * len(at) / BATCH, CONTRAST)


def main() -> None:
    """Trains to the last iteration, saving checkpoints and the learning curve on the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="how many to learn at most")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where checkpoint and curve are kept")
    arguments = parser.parse_args()
    path, curve = (arguments.folder / name for name in (CHECKPOINT.name, "learning_curve.jsonl"))
    learner = start(path)
    company: list[BatchPlayer] = [imitation.load(), *(EXAMPLES[name] for name in (*FIELD, *OTHERS)), Random()]
    begun = time.process_time()
    while learner.iteration < min(arguments.iterations, ITERATIONS):
        learn(learner, company)
        save(learner, path)
        if learner.iteration % CURVE_EVERY == 0:
            point = {"iteration": learner.iteration, "seconds": round(time.process_time() - begun)}
            with curve.open("a") as file:
                file.write(json.dumps(point | evaluate(learner.average)) + "\n")


if __name__ == "__main__":
    main()
