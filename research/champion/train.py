"""Trains the champion by deep Monte Carlo: `python -m research.champion.train` resumes from the checkpoint.

The networks learn the chips that a choice brings by the deal's end, as in DouZero (Zha et al., 2021); later, when they
judge well, what they say of the next choices counts too, which varies less than how the deal ends: Sarsa(λ) (Rummery
and Niranjan, 1994).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bourre_lab.batch_deals import LockstepDeals, random_decks
from bourre_lab.batch_deals.table import BatchPlayer, play_deals
from bourre_lab.champion.judged_choices import CARD_CHOICES, ENTRY_CHOICES
from bourre_lab.champion.network_inputs import CARD_FEATURES, ENTRY_FEATURES
from bourre_lab.champion.weights import Floats
from research.champion import checkpoint, imitation
from research.champion.adam import Trained
from research.champion.evaluation import evaluate
from research.champion.examples import EXAMPLES, Random
from research.champion.league import FIELD, OTHERS, POT, Tables, draw_tables
from research.champion.network_players import Decisions, Judge
from research.champion.random_network import new_network

SEED: Final = 2411
FOLDER: Final = Path(__file__).parent
CHECKPOINT: Final = FOLDER / "checkpoint.npz"
CURVE: Final = FOLDER / "learning_curve.jsonl"
HIDDEN: Final = (256, 128)
SEATS_PER_ITERATION: Final = 10_000
BATCH: Final = 1024
LAST_RATE: Final = 3e-5
FIRST_EPSILON, LAST_EPSILON = 0.12, 0.02
ANCESTOR_EVERY: Final = 500
ANCESTORS: Final = 4
SAVE_EVERY: Final = 250


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the training, in which the rate falls from `rate` to LAST_RATE."""

    begin: int
    end: int
    rate: float
    trace: float
    """λ: how much the rest of the deal counts beside what the networks say of the next choice."""


PHASES: Final = (Phase(0, 6_000, 1e-3, 1.0), Phase(6_000, 12_000, 5e-4, 0.6))


@dataclass(slots=True)
class Learner:
    """The two networks in training, and the ancestors that they play against."""

    entry: Trained
    cards: Trained
    iteration: int
    ancestors: deque[Judge]


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
    learner = Learner(Trained(entry), Trained(cards), iteration, deque(maxlen=ANCESTORS))
    keep_ancestor(learner)
    return learner


def keep_ancestor(learner: Learner) -> None:
    """Takes the averaged networks into the pool of ancestors; the oldest leaves a full one."""
    learner.ancestors.append(Judge(learner.entry.average, learner.cards.average, np.zeros(0, dtype=np.float32)))


def learn(learner: Learner, company: list[BatchPlayer]) -> float:
    """Plays and learns one iteration; returns the mean squared error of the cards."""
    rng = np.random.default_rng([SEED, learner.iteration])
    phase = next(phase for phase in PHASES if learner.iteration < phase.end)
    done = (learner.iteration - phase.begin) / (phase.end - phase.begin)
    epsilon = max(LAST_EPSILON, FIRST_EPSILON - (FIRST_EPSILON - LAST_EPSILON) * 4 * learner.iteration / PHASES[0].end)
    tables, noted = draw_tables(SEATS_PER_ITERATION, rng), list[Decisions]()
    entry, cards = learner.entry, learner.cards
    networks = (entry.network, cards.network) if phase.trace == 1 else (entry.average, cards.average)
    hero = Judge(*networks, tables.exempt, epsilon, noted.append)
    ancestor = learner.ancestors[rng.integers(len(learner.ancestors))]
    ancestor.exempt = tables.exempt
    deals = LockstepDeals(tables.house, tables.seats)
    deals.reset(random_decks(len(tables.seating), rng), POT)
    play_deals(deals, tables.seating, [hero, ancestor, *company], rng)
    lessons = targets(noted, chips(deals, tables), phase.trace)
    rate = LAST_RATE + (phase.rate - LAST_RATE) * (1 + np.cos(np.pi * done)) / 2
    errors = []
    for plays, trained in ((False, entry), (True, cards)):
        kind = [pair for pair in zip(noted, lessons, strict=True) if pair[0].plays == plays]
        errors.append(_fit(trained, kind, tables, rate, rng))
    learner.iteration += 1
    return errors[1]


def targets(noted: Sequence[Decisions], ends: Floats, trace: float) -> list[Floats]:
    """Returns what each decision is to be judged at.

    `ends` is what each seat wins in the end, of shape (deals, seats). Backwards from there, each decision's judgement
    counts for the decision before it with the weight 1 - `trace`, and what comes after it with `trace`.
    """
    following, found = ends.copy(), list[Floats]()
    for one in reversed(noted):
        at = one.rows, one.seats
        found.append(following[at])
        following[at] += np.float32(1 - trace) * (one.judged - following[at])
    return found[::-1]


def chips(deals: LockstepDeals, tables: Tables) -> Floats:
    """Returns what each seat wins in the deal as a share of the pot, of shape (deals, seats);
    what is left of the pot is shared equally."""
    settled = deals.settle()
    total = settled.chips - deals.state.paid + settled.next_pot[:, None] / deals.seats
    return (total / POT + settled.exempt * tables.exempt[:, None]).astype(np.float32)


def _fit(
    trained: Trained, lessons: Sequence[tuple[Decisions, Floats]], tables: Tables, rate: float, rng: np.random.Generator
) -> float:
    """Learns the targets of decisions of one kind; returns the mean squared error."""
    kept = [tables.learns[one.rows, one.seats] & (one.allowed.sum(axis=1) > 1) for one, _ in lessons]
    inputs = np.concatenate([one.inputs[keep] for (one, _), keep in zip(lessons, kept, strict=True)])
    choices = np.concatenate([one.choices[keep] for (one, _), keep in zip(lessons, kept, strict=True)])
    values = np.concatenate([target[keep] for (_, target), keep in zip(lessons, kept, strict=True)])
    order, errors = rng.permutation(len(choices)), [0.0]
    for begin in range(0, len(order), BATCH):
        at = order[begin : begin + BATCH]
        errors.append(trained.fit_values(inputs[at], choices[at], values[at], rate * len(at) / BATCH))
    return float(np.mean(errors[1:] or errors))


def main() -> None:
    """Trains to the last iteration, saving checkpoints and the learning curve on the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=PHASES[-1].end, help="where the training ends")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where checkpoint and curve are kept")
    arguments = parser.parse_args()
    if arguments.iterations > PHASES[-1].end:
        parser.error(f"--iterations: the phases end at {PHASES[-1].end}; add one to PHASES for more")
    path, curve = arguments.folder / CHECKPOINT.name, arguments.folder / CURVE.name
    learner, started, errors = start(path), time.perf_counter(), []
    company: list[BatchPlayer] = [imitation.load(), *(EXAMPLES[name] for name in (*FIELD, *OTHERS)), Random()]
    while learner.iteration < arguments.iterations:
        errors.append(learn(learner, company))
        if learner.iteration % ANCESTOR_EVERY == 0:
            keep_ancestor(learner)
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
