"""Players that ask networks: judges of chips, and imitators of another player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import Flags, Ints
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.batch_actions import best_choices, judged_actions, judged_plays
from bourre_lab.champion.network_inputs import entry_features
from bourre_lab.champion.weights import Floats, NeuralNetwork
from research.champion.entry_answers import answers
from research.champion.monte_carlo import weak_cards


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
        return judged_actions(deals, rows, exempt, choose)


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
        def choose(_: bool, __: Ints, inputs: Floats, allowed: Flags) -> Ints:
            values = self.cards(inputs)
            values += rng.standard_normal(values.shape, dtype=np.float32) * np.float32(self.card_error)
            return best_choices(values, allowed)

        nothing = np.zeros(len(rows), dtype=np.float32)
        if deals.asked[rows[0]] == Asked.PLAY:
            return judged_plays(deals, rows, nothing, choose)
        state = deals.state
        inputs, _ = entry_features(state, rows, nothing, deals.house)
        comes = self.entry(inputs)[:, 0] + rng.normal(0, self.entry_error, len(rows)) > 0
        hands = state.hands[rows, deals.to_act[rows]]
        return answers(deals, rows, comes, weak_cards(hands, state.trump[rows]))
