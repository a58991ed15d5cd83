"""What choices bring: deals are copied at some decisions, and each copy goes on with another choice.

The copies have the same hidden cards, and all seats go on without exploring. So the difference between two choices
holds no other luck than that of the hidden cards, as in the rollouts of policy iteration (Bertsekas, 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from bourre_lab.batch_deals import LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Flags, Ints
from bourre_lab.batch_deals.table import BatchPlayer, chosen_actions, play_deals, settled_chips
from bourre_lab.champion.judged_choices import PASSES, card_actions, entry_actions
from bourre_lab.champion.network_inputs import suit_order
from bourre_lab.champion.weights import Floats, Networks
from research.champion.league import POT, Tables
from research.champion.network_players import Decisions, Judge

EPSILON: Final = 0.05
"""How often the learner takes any choice, in the deals that are copied."""
COPIED: Final = {False: 0.25, True: 0.4}
"""The chance that a decision is copied, by whether it is for a card."""
TRIED: Final = 4
"""The most choices of a decision that are tried: those that the learner judges best, a pass always among them."""
NEAR: Final = 0.1
"""How much worse than the best the learner may judge a choice that is always tried, as a share of the pot."""
FAR_CHANCE: Final = 0.25
"""How often another is tried."""
NOISE: Final = 0.03
"""The scale of the noise in the order of the choices, as a share of the pot."""
_ROWS: Final = 20_000
"""The copies that are played at once. More need more memory and are not faster."""

Company = Callable[[Floats], Sequence[BatchPlayer]]
"""Returns the other players, by their places in the seating after the learner's, where exemptions are worth this."""


class Lessons(NamedTuple):
    """Decisions of one kind, and what their tried choices brought until the deal's end, as shares of the pot."""

    inputs: Floats
    tried: Flags
    """Of shape (decisions, choices)."""
    brought: Floats
    """Of shape (decisions, choices); 0 for a choice not tried."""


@dataclass(frozen=True, slots=True)
class _Copies:
    """Copies of deals in which one seat has taken one of the choices tried."""

    decisions: Decisions
    of: Ints
    """The place of each copy's decision."""
    choices: Ints
    deals: LockstepDeals


def branched_lessons(tables: Tables, learner: Networks, company: Company, rng: np.random.Generator) -> list[Lessons]:
    """Plays deals at these tables and copies of them; returns the lessons before the play, and those of cards."""
    noted, copied = list[Decisions](), list[_Copies]()
    explorer = Judge(learner.entry, learner.cards, tables.exempt, EPSILON, noted.append)
    players = explorer, *company(tables.exempt)
    deals = LockstepDeals(tables.house, tables.seats)
    deals.reset(random_decks(len(tables.seating), rng), POT)
    while not deals.all_over:
        actions = chosen_actions(deals, tables.seating, players, rng)
        copied += [_copies(deals, one, rng) for one in noted]
        noted.clear()
        deals.step(actions)
    brought = _play_on(copied, tables, learner, company, rng)
    return [
        _lessons([pair for pair in zip(copied, brought, strict=True) if pair[0].decisions.plays == plays])
        for plays in (False, True)
    ]


def _copies(deals: LockstepDeals, noted: Decisions, rng: np.random.Generator) -> _Copies:
    """Copies the deals of some of these decisions, once for each choice that is tried."""
    free = noted.allowed.sum(axis=1) > 1
    some = noted.at(np.flatnonzero(free & (rng.random(len(free)) < COPIED[noted.plays])))
    tried = _tried(some, rng)
    compared = np.flatnonzero(tried.sum(axis=1) > 1)
    some = some.at(compared)
    of, choices = np.nonzero(tried[compared])
    rows = some.rows[of]
    hands, trumps = deals.state.hands[rows, some.seats[of]], deals.state.trump[rows]
    order = suit_order(hands, trumps)
    copies = deals.at(rows)
    copies.step(card_actions(choices, order) if some.plays else entry_actions(choices, hands, trumps, order))
    return _Copies(some, of, choices, copies)


def _tried(decisions: Decisions, rng: np.random.Generator) -> Flags:
    """Returns which choices of each decision are tried, of shape (decisions, choices)."""
    values = np.where(decisions.allowed, decisions.values, -np.inf)
    near = values >= values.max(axis=1, keepdims=True) - NEAR
    if not decisions.plays:
        near[:, PASSES] |= decisions.allowed[:, PASSES]
    taken = decisions.allowed & (near | (rng.random(near.shape) < FAR_CHANCE))
    order = np.where(taken, values + rng.gumbel(0, NOISE, near.shape), -np.inf)
    if not decisions.plays:
        order[:, PASSES] = np.where(taken[:, PASSES], np.inf, -np.inf)
    last = -np.partition(-order, TRIED - 1, axis=1)[:, TRIED - 1 : TRIED]
    tried: Flags = taken & (order >= last)
    return tried


def _play_on(
    copied: Sequence[_Copies], tables: Tables, learner: Networks, company: Company, rng: np.random.Generator
) -> list[Floats]:
    """Plays the copies to their ends; returns what each brought the seat that chose, as a share of the pot."""
    deals = copied[0].deals.beside([one.deals for one in copied[1:]])
    rows = np.concatenate([one.decisions.rows[one.of] for one in copied])
    seats = np.concatenate([one.decisions.seats[one.of] for one in copied])
    brought = np.zeros(len(rows), dtype=np.float32)
    for begin in range(0, len(rows), _ROWS):
        at = np.arange(begin, min(begin + _ROWS, len(rows)))
        part, exempt = deals.at(at), tables.exempt[rows[at]]
        players = Judge(learner.entry, learner.cards, exempt), *company(exempt)
        play_deals(part, tables.seating[rows[at]], players, rng)
        brought[at] = settled_chips(part, POT, exempt)[np.arange(len(at)), seats[at]]
    return np.split(brought, np.cumsum([len(one.of) for one in copied])[:-1])


def _lessons(copied: Sequence[tuple[_Copies, Floats]]) -> Lessons:
    parts = list[Lessons]()
    for copies, brought in copied:
        tried = np.zeros(copies.decisions.allowed.shape, dtype=np.bool_)
        values = np.zeros(tried.shape, dtype=np.float32)
        tried[copies.of, copies.choices] = True
        values[copies.of, copies.choices] = brought
        parts.append(Lessons(copies.decisions.inputs, tried, values))
    return joined(parts)


def joined(lessons: Sequence[Lessons]) -> Lessons:
    """Returns these lessons of one kind as one."""
    return Lessons(*(np.concatenate(columns) for columns in zip(*lessons, strict=True)))
