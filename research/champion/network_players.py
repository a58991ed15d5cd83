"""Players that ask networks: judges of chips, and imitators of another player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import Flags, Ints, Sets
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.batch_actions import best_choices, judged_actions, judged_plays
from bourre_lab.champion.judged_choices import CARD_CHOICES
from bourre_lab.champion.network_inputs import entry_features
from bourre_lab.champion.weights import Floats, NeuralNetwork
from research.champion.entry_answers import answers
from research.champion.monte_carlo import weak_cards

_SEED: Final = 5
_NORMALS_BITS: Final = 20
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: multiplicative hashing of Knuth, section 6.4."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of one kind, as the networks see them."""

    plays: bool
    rows: Ints
    seats: Ints
    inputs: Floats
    allowed: Flags
    values: Floats
    """What each choice is said to bring, as a share of the pot, of shape (rows, choices)."""

    def at(self, places: Ints) -> Decisions:
        """Returns some of them."""
        return Decisions(
            self.plays,
            self.rows[places],
            self.seats[places],
            self.inputs[places],
            self.allowed[places],
            self.values[places],
        )


@dataclass(slots=True)
class Judge(BatchPlayer):
    """Takes the choice that its networks judge best, but any other with a small probability."""

    entry: NeuralNetwork
    cards: NeuralNetwork
    exempt: Floats | None = None
    """What an exemption from the next ante is worth in each deal, as a share of the pot; None where deals are settled
    alone."""
    epsilon: float = 0.0
    note: Callable[[Decisions], None] | None = field(default=None)
    """Takes the decisions in their order."""
    takes_turned: bool = False
    """Whether it takes the turned card as a dealer who may; copies of training deals do not."""

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        def choose(plays: bool, rows: Ints, inputs: Floats, allowed: Flags) -> Ints:
            values = (self.cards if plays else self.entry)(inputs)
            choices = best_choices(values, allowed)
            if self.epsilon:
                explores = np.flatnonzero(rng.random(len(rows)) < self.epsilon)
                choices[explores] = _any(allowed[explores], rng)
            if self.note is not None:
                self.note(Decisions(plays, rows, deals.to_act[rows], inputs, allowed, values))
            return choices

        exempt = np.zeros(len(rows), dtype=np.float32) if self.exempt is None else self.exempt[rows]
        return judged_actions(deals, rows, exempt, choose, takes_turned=self.takes_turned)


def _any(allowed: Flags, rng: np.random.Generator) -> Ints:
    choices: Ints = (allowed * rng.random(allowed.shape)).argmax(axis=1)
    return choices


@dataclass(frozen=True, slots=True)
class Imitator(BatchPlayer):
    """Judges as many samples of `monte_carlo` would, with errors as large as those of its few."""

    entry: NeuralNetwork
    """One output: what coming in brings, as a share of the pot."""
    cards: NeuralNetwork
    """What each card brings beyond the mean of the legal ones."""
    entry_error: float
    card_error: float
    """Standard deviations of the errors."""

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        state = deals.state

        def choose(_: bool, rows: Ints, inputs: Floats, allowed: Flags) -> Ints:
            hands, trump = state.hands[rows, deals.to_act[rows]], state.trump[rows]
            errors = _errors(hands, trump, CARD_CHOICES) * np.float32(self.card_error)
            return best_choices(self.cards(inputs) + errors, allowed)

        nothing = np.zeros(len(rows), dtype=np.float32)
        if deals.asked[rows[0]] == Asked.PLAY:
            return judged_plays(deals, rows, nothing, choose)
        inputs, _ = entry_features(state, rows, nothing, deals.house)
        hands, trump = state.hands[rows, deals.to_act[rows]], state.trump[rows]
        comes = self.entry(inputs)[:, 0] + _errors(hands, trump, 1)[:, 0] * self.entry_error > 0
        return answers(deals, rows, comes, weak_cards(hands, trump))


def _errors(hands: Sets, trump: Ints, choices: int) -> Floats:
    """Returns normal errors of shape (hands, choices), always the same for a hand and trump suit.

    So copies of a deal differ by what was chosen in them, and not by chance.
    """
    mixed = (hands ^ trump.astype(np.uint64) << np.uint64(52)) * _MULTIPLIER
    errors: Floats = sliding_window_view(_normals(), choices)[mixed >> np.uint64(64 - _NORMALS_BITS)]
    return errors


@cache
def _normals() -> Floats:
    return np.random.default_rng(_SEED).standard_normal((1 << _NORMALS_BITS) + CARD_CHOICES, dtype=np.float32)
