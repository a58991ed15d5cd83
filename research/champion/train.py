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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.judged_choices import CARD_CHOICES, ENTRY_CHOICES
from bourre_lab.champion.network_inputs import CARD_FEATURES, ENTRY_FEATURES
from bourre_lab.champion.training_tables import PRESET_SHARES
from bourre_lab.champion.weights import SHA256, Floats, Networks, frozen_networks
from research.champion import imitation
from research.champion.adam import Trained
from research.champion.checkpoint import Learner, load, new_learner, save
from research.champion.evaluation import evaluate
from research.champion.examples import EXAMPLES, Random
from research.champion.league import FIELD, OTHERS, draw_tables
from research.champion.lessons import Lessons, branched_lessons, joined
from research.champion.network_players import Judge
from research.champion.random_network import new_network

SEED: Final = 2411
FOLDER: Final = Path(__file__).parent
CHECKPOINT: Final = FOLDER / "checkpoint.npz"
SEATS: Final = 324_000
"""About how many seats an iteration plays."""
SIZES: Final = 8
"""How many times it draws a number of seats for `limit`, and how many times for another preset."""
PASSES: Final = 3
"""How often an iteration's lessons are learnt."""
BATCH: Final = 512
FIRST_RATE, RESPONSE_RATE, LAST_RATE = 1e-3, 2e-4, 2e-5
"""The rates of learning: the first one from nothing, and that of a response."""
CONTRAST: Final = 4.0
"""How much differences between choices count beside what they have in common."""
ANCESTOR_EVERY: Final = 4
CURVE_EVERY: Final = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained, and for how long."""

    iterations: int = 96
    entry_hidden: tuple[int, ...] = (384, 192)
    cards_hidden: tuple[int, ...] = (512, 256)
    response_to: str | None = None
    """Frozen networks to which a response is learnt: it begins as a copy, alone among them."""

    @property
    def rival(self) -> str:
        """The frozen networks that sit at some tables."""
        return self.response_to or "champion_1"

    def rate(self, iteration: int) -> float:
        """Returns the rate of learning, which falls by a cosine."""
        first = RESPONSE_RATE if self.response_to else FIRST_RATE
        return float(LAST_RATE + (first - LAST_RATE) * (1 + np.cos(np.pi * iteration / self.iterations)) / 2)


def start(path: Path, plan: Plan) -> Learner:
    """Returns the learner of the checkpoint, or a new one."""
    if path.exists():
        return load(path)
    if plan.response_to:
        return new_learner(frozen_networks(plan.response_to))
    rng = np.random.default_rng(SEED)
    entry = new_network((ENTRY_FEATURES, *plan.entry_hidden, ENTRY_CHOICES), rng)
    cards = new_network((CARD_FEATURES, *plan.cards_hidden, CARD_CHOICES), rng)
    return new_learner(Networks(entry, cards))


def company() -> list[BatchPlayer]:
    """Returns the players that do not learn, in the order of NAMES after the ancestor."""
    return [imitation.load(), *(EXAMPLES[name] for name in (*FIELD, *OTHERS)), Random()]


def learn(learner: Learner, plan: Plan, others: Sequence[BatchPlayer]) -> None:
    """Plays and learns one iteration."""
    rng = np.random.default_rng([SEED, learner.iteration])
    ancestor, rival = learner.ancestors[rng.integers(len(learner.ancestors))], frozen_networks(plan.rival)

    def seated(exempt: Floats) -> list[BatchPlayer]:
        old, frozen = (Judge(networks.entry, networks.cards, exempt) for networks in (ancestor, rival))
        return [old, *others, frozen]

    parts = list[list[Lessons]]()
    for other, share in ((False, PRESET_SHARES["limit"]), (True, 1 - PRESET_SHARES["limit"])):
        for _ in range(SIZES):
            tables = draw_tables(round(SEATS * share / SIZES), rng, other=other, alone=plan.response_to is not None)
            parts.append(branched_lessons(tables, learner.average, seated, rng))
    for trained, learnt in zip((learner.entry, learner.cards), zip(*parts, strict=True), strict=True):
        _fit(trained, joined(learnt), plan.rate(learner.iteration), rng)
    learner.iteration += 1
    if learner.iteration % ANCESTOR_EVERY == 0:
        learner.ancestors.append(learner.average)


def _fit(trained: Trained, lessons: Lessons, rate: float, rng: np.random.Generator) -> None:
    order = np.concatenate([rng.permutation(len(lessons.inputs)) for _ in range(PASSES)])
    for begin in range(0, len(order), BATCH):
        at = order[begin : begin + BATCH]
        part = lessons.inputs[at], lessons.tried[at], lessons.brought[at]
        trained.fit(*part, rate * len(at) / BATCH, CONTRAST)


def main() -> None:
    """Trains to the last iteration, saving checkpoints and the learning curve on the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    plan = Plan()
    parser.add_argument("--iterations", type=int, default=plan.iterations, help="how many iterations the training has")
    parser.add_argument("--hidden", type=int, nargs=2, help="the sizes of the hidden layers of both networks")
    parser.add_argument("--response-to", choices=SHA256, help="learn what wins most from these networks")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where checkpoint and curve are kept")
    told = parser.parse_args()
    plan = replace(plan, iterations=told.iterations, response_to=told.response_to)
    if told.hidden:
        plan = replace(plan, entry_hidden=tuple(told.hidden), cards_hidden=tuple(told.hidden))
    path, curve = (told.folder / name for name in (CHECKPOINT.name, "learning_curve.jsonl"))
    learner = start(path, plan)
    others, begun = company(), time.process_time()
    while learner.iteration < plan.iterations:
        learn(learner, plan, others)
        save(learner, path)
        if learner.iteration % CURVE_EVERY == 0:
            point = {"iteration": learner.iteration, "seconds": round(time.process_time() - begun)}
            with curve.open("a") as file:
                file.write(json.dumps(point | evaluate(learner.average)) + "\n")


if __name__ == "__main__":
    main()
