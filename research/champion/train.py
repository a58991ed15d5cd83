"""Trains the champion by deep Monte Carlo: `python -m research.champion.train` resumes from the checkpoint.

The networks learn the chips that a choice brings by the deal's end, as in DouZero (Zha et al., 2021).
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bourre.champion.judged_choices import CARD_CHOICES, ENTRY_CHOICES
from bourre.champion.network_inputs import CARD_FEATURES, ENTRY_FEATURES
from bourre.champion.networks import Floats, new_network
from bourre.lockstep import LockstepDeals, random_decks
from research.champion import checkpoint, imitation
from research.champion.adam import Trained
from research.champion.evaluation import evaluate
from research.champion.examples import EXAMPLES, Random
from research.champion.league import FIELD, OTHERS, POT, Tables, draw_tables
from research.champion.network_players import Decisions, Judge
from research.champion.players import Player
from research.champion.table import play_deals

SEED: Final = 2411
FOLDER: Final = Path(__file__).parent
CHECKPOINT: Final = FOLDER / "checkpoint.npz"
CURVE: Final = FOLDER / "learning_curve.jsonl"
HIDDEN: Final = (256, 128)
ITERATIONS: Final = 6_000
SEATS_PER_ITERATION: Final = 10_000
BATCH: Final = 1024
FIRST_RATE, LAST_RATE = 1e-3, 3e-5
FIRST_EPSILON, LAST_EPSILON = 0.12, 0.02
ANCESTOR_EVERY: Final = 500
SAVE_EVERY: Final = 250


@dataclass(slots=True)
class Learner:
    """The two networks in training, and the ancestor that they play against."""

    entry: Trained
    cards: Trained
    ancestor: Judge
    iteration: int


def start(path: Path) -> Learner:
    """Returns the learner of the checkpoint, or a new one."""
    if path.exists():
        saved = checkpoint.load(path)
        entry, cards, iteration = saved.entry, saved.cards, saved.iteration
    else:
        rng = np.random.default_rng(SEED)
        entry = new_network((ENTRY_FEATURES, *HIDDEN, ENTRY_CHOICES), rng)
        cards = new_network((CARD_FEATURES, *HIDDEN, CARD_CHOICES), rng)
        iteration = 0
    learner = Learner(Trained(entry), Trained(cards), Judge(entry, cards, np.zeros(0, dtype=np.float32)), iteration)
    set_ancestor(learner)
    return learner


def set_ancestor(learner: Learner) -> None:
    """Makes the averaged networks the ancestor."""
    learner.ancestor = Judge(learner.entry.average, learner.cards.average, np.zeros(0, dtype=np.float32))


def learn(learner: Learner, company: list[Player], iterations: int) -> float:
    """Plays and learns one iteration; returns the mean squared error of the cards."""
    rng = np.random.default_rng([SEED, learner.iteration])
    tables = draw_tables(SEATS_PER_ITERATION, rng)
    done = min(1.0, learner.iteration / iterations)
    noted: dict[bool, list[Decisions]] = {False: [], True: []}

    def note(plays: bool, decisions: Decisions) -> None:
        noted[plays].append(decisions)

    epsilon = FIRST_EPSILON + (LAST_EPSILON - FIRST_EPSILON) * min(1.0, 4 * done)
    hero = Judge(learner.entry.network, learner.cards.network, tables.exempt, epsilon, note)
    learner.ancestor.exempt = tables.exempt
    deals = LockstepDeals(tables.house, tables.seats)
    deals.reset(random_decks(len(tables.seating), rng), POT)
    play_deals(deals, tables.seating, [hero, learner.ancestor, *company], rng)
    values = chips(deals, tables)
    rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + np.cos(np.pi * done)) / 2
    errors = [_fit(learner, plays, noted[plays], values, tables, rate, rng) for plays in (False, True)]
    learner.iteration += 1
    return errors[1]


def chips(deals: LockstepDeals, tables: Tables) -> Floats:
    """Returns what each seat wins in the deal as a share of the pot, of shape (deals, seats);
    what is left of the pot is shared equally."""
    settled = deals.settle()
    total = settled.chips - deals.state.paid + settled.next_pot[:, None] / deals.seats
    return (total / POT + settled.exempt * tables.exempt[:, None]).astype(np.float32)


def _fit(
    learner: Learner,
    plays: bool,
    noted: list[Decisions],
    values: Floats,
    tables: Tables,
    rate: float,
    rng: np.random.Generator,
) -> float:
    trained = learner.cards if plays else learner.entry
    kept = [tables.learns[one.rows, one.seats] & (one.allowed.sum(axis=1) > 1) for one in noted]
    inputs = np.concatenate([one.inputs[keep] for one, keep in zip(noted, kept, strict=True)])
    choices = np.concatenate([one.choices[keep] for one, keep in zip(noted, kept, strict=True)])
    targets = np.concatenate([values[one.rows[keep], one.seats[keep]] for one, keep in zip(noted, kept, strict=True)])
    order, errors = rng.permutation(len(choices)), [0.0]
    for begin in range(0, len(order), BATCH):
        at = order[begin : begin + BATCH]
        errors.append(trained.fit_values(inputs[at], choices[at], targets[at], rate * len(at) / BATCH))
    return float(np.mean(errors[1:] or errors))


def main() -> None:
    """Trains to the last iteration, saving checkpoints and the learning curve on the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="where the training ends")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where checkpoint and curve are kept")
    arguments = parser.parse_args()
    path, curve = arguments.folder / CHECKPOINT.name, arguments.folder / CURVE.name
    learner, started, errors = start(path), time.perf_counter(), []
    company: list[Player] = [imitation.load(), *(EXAMPLES[name] for name in (*FIELD, *OTHERS)), Random()]
    while learner.iteration < arguments.iterations:
        errors.append(learn(learner, company, arguments.iterations))
        if learner.iteration % ANCESTOR_EVERY == 0:
            set_ancestor(learner)
        if learner.iteration % SAVE_EVERY == 0:
            entry, cards = learner.entry.average, learner.cards.average
            checkpoint.save(checkpoint.Checkpoint(learner.iteration, entry, cards), path)
        if learner.iteration % (2 * SAVE_EVERY) == 0:
            point: dict[str, float] = {"iteration": learner.iteration, "seconds": round(time.perf_counter() - started)}
            point |= {
                "error": round(float(np.mean(errors)), 4),
                **evaluate(learner.entry.average, learner.cards.average),
            }
            with curve.open("a") as file:
                file.write(json.dumps(point) + "\n")
            errors = []


if __name__ == "__main__":
    main()
