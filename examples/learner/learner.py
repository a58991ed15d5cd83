"""A bot that learns: `python learner.py MINUTES` trains it against `drawer`, by deep Monte Carlo; contests play it."""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bourre import run
from bourre_lab.envs.action_space import CARD, PASS
from bourre_lab.envs.features import STARTS
from bourre_lab.envs.policy_bot import PolicyBot
from bourre_lab.envs.seat_env import SeatEnv

WEIGHTS, HIDDEN, SCALE = Path(__file__).with_name("learner.npz"), 96, 10
PLAYED, TABLE = slice(STARTS["played"], STARTS["turned"]), slice(STARTS["in"], STARTS["barred"])
ASKED = slice(STARTS["decision"], STARTS["balances"])
KEPT = np.array([[0] * 5, *([1 - (subset >> place & 1) for place in range(5)] for subset in range(32))], np.float32)
FROM_TRUMP = [
    np.array([4 * rank + (trump + suit) % 4 for suit in range(4) for rank in range(13)]) for trump in range(4)
]
Rows = NDArray[Any]


def inputs(seen: Rows, legal: Rows) -> Rows:
    """Returns a row for each legal action: the hand it leaves, the card it plays, the table; suits begin with trump."""
    order = FROM_TRUMP[seen[STARTS["trump"] : STARTS["decision"]].argmax()]
    cards = np.zeros((len(legal), 2, 52), np.float32)
    if legal[-1] < CARD:  # to pass, to come in, to draw
        held = seen[:52].nonzero()[0]
        cards[:, 0, held] = KEPT[legal, : len(held)]
    else:
        cards[:, 0] = seen[:52]
        cards[np.arange(len(legal)), :, legal - CARD] = 0, 1
    shared = np.concatenate([seen[PLAYED].reshape(2, 52)[:, order].ravel(), seen[TABLE], seen[ASKED]])
    return np.hstack([cards[:, :, order].reshape(-1, 104), np.tile(shared, (len(legal), 1)), (legal == PASS)[:, None]])


def expect(weights: list[Rows], rows: Rows) -> tuple[Rows, Rows]:
    """Returns the chips that a net of one hidden layer expects of each row, and that layer."""
    hidden = np.maximum(rows @ weights[0] + weights[1], 0)
    return hidden @ weights[2] + weights[3], hidden


def learn(weights: list[Rows], squares: list[Rows], rows: Rows, gained: Rows, rate: float) -> None:
    """Moves the weights towards what was gained, by RMSProp."""
    expected, hidden = expect(weights, rows)
    error = (expected - gained) / len(rows)
    back = np.outer(error, weights[2]) * (hidden > 0)
    for place, slope in enumerate((rows.T @ back, back.sum(0), hidden.T @ error, error.sum())):
        squares[place] = 0.99 * squares[place] + 0.01 * slope**2
        weights[place] = weights[place] - rate * slope / (np.sqrt(squares[place]) + 1e-6)


def train(minutes: float) -> None:
    """Trains for this much processor time, from a fixed seed."""
    rng, env, began = np.random.default_rng(1), SeatEnv(["drawer", "drawer"], deals=50), time.process_time()
    seen = env.reset(seed=1)[0]
    size = inputs(seen["observation"], np.array([PASS])).shape[1]
    weights = [rng.normal(0, 0.05, shape).astype(np.float32) for shape in ((size, HIDDEN), HIDDEN, HIDDEN, 1)]
    squares, rows, gained = [0 * weight for weight in weights], list[Rows](), list[float]()
    while (spent := (time.process_time() - began) / 60 / minutes) < 1:
        legal, before = seen["action_mask"].nonzero()[0], seen["observation"][STARTS["deals_left"]]
        choices = inputs(seen["observation"], legal)
        explores = rng.random() < 0.15 * (1 - spent) + 0.02
        choice = rng.integers(len(legal)) if explores else expect(weights, choices)[0].argmax()
        rows.append(choices[choice])
        seen, reward, over, _, _ = env.step(legal[choice])
        if over or before != seen["observation"][STARTS["deals_left"]]:  # the deal is settled
            gained += [reward / SCALE] * (len(rows) - len(gained))
            seen = env.reset()[0] if over else seen
            if len(rows) > 256:
                learn(weights, squares, np.array(rows), np.array(gained, np.float32), 0.002 * (1 - spent))
                rows, gained = [], []
    np.savez(WEIGHTS, *weights)


class Learner(PolicyBot):
    def __init__(self) -> None:
        with np.load(WEIGHTS) as stored:
            self.weights = list(stored.values())

    def act(self, observation: Rows, action_mask: Rows) -> int:
        legal = action_mask.nonzero()[0]
        return int(legal[expect(self.weights, inputs(observation, legal))[0].argmax()])


if __name__ == "__main__":
    train(float(sys.argv[1])) if sys.argv[1:] else run(Learner)
