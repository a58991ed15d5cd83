"""The choices that a response may prefer to those of the bot, and the facts by which it learns what they are worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from bourre.rules.house import MAX_SEATS
from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.action_numbers import CARD_ACTIONS, COME_IN, NAME_TRUMP, PASS, SUBSETS
from bourre_lab.batch_deals.card_sets import Flags, Ints, Sets
from bourre_lab.batch_deals.state import MOST_CARDS, Small
from bourre_lab.champion.batch_actions import best_choices
from bourre_lab.champion.judged_choices import (
    CARD_CHOICES,
    COMES_IN,
    DISCARDS,
    PASSES,
    card_actions,
    card_choices,
    entry_actions,
    entry_choices,
    slots_of,
)
from bourre_lab.champion.network_inputs import card_features, entry_features, one_hot, ordered_cards
from bourre_lab.champion.weights import CHAMPION, Floats, frozen_networks

PROMISING: Final = (0.3, 0.1, 0.1)
"""By `Family`: how much worse than the bot's choice the champion may judge an alternative, as a share of the pot."""


class Family(IntEnum):
    """A kind of decision, with a correction of its own."""

    ENTRY = 0
    DISCARDS = 1
    CARDS = 2


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One alternative to the bot's choice in each of some deals."""

    family: Family
    rows: Ints
    actions: Ints
    signs: Floats
    """-1 where the alternative is to pass, else 1."""
    judged: Floats
    """What the champion judges that the alternative brings more, times the sign, as a share of the pot."""
    facts: Floats
    """By which the judgement is corrected, of shape (rows, facts)."""

    def at(self, places: Ints | Flags) -> Alternatives:
        """Returns some of them."""
        return Alternatives(
            self.family,
            self.rows[places],
            self.actions[places],
            self.signs[places],
            self.judged[places],
            self.facts[places],
        )


def alternatives(
    deals: LockstepDeals, rows: Ints, chosen: Ints, families: Collection[Family]
) -> Iterator[Alternatives]:
    """Yields the promising alternatives to the `chosen` actions, which are all before the play or all cards."""
    found: Iterable[Alternatives] = ()
    if deals.asked[rows[0]] == Asked.PLAY and Family.CARDS not in families:
        return
    if deals.asked[rows[0]] == Asked.PLAY:
        legal = deals.legal_cards(rows)
        free = np.flatnonzero(legal & (legal - np.uint64(1)))
        if free.size:
            found = (_of_cards(deals, rows[free], legal[free], chosen[free]),)
    else:
        known = np.flatnonzero(chosen < NAME_TRUMP)
        if known.size:
            found = _before_play(deals, rows[known], chosen[known])
    for one in (one for one in found if one.family in families):
        yield one.at(one.judged * one.signs > -PROMISING[one.family])


def _before_play(deals: LockstepDeals, rows: Ints, chosen: Ints) -> Iterator[Alternatives]:
    state, networks, at = deals.state, frozen_networks(CHAMPION), np.arange(len(rows))
    asked, seats = state.asked[rows], deals.to_act[rows]
    inputs, order = entry_features(state, rows, np.zeros(len(rows), dtype=np.float32), deals.house)
    hands, trumps = state.hands[rows, seats], state.trump[rows]
    hidden = networks.entry.last_hidden(inputs)
    values = networks.entry.outputs(hidden)
    allowed = entry_choices(asked, hands, trumps, deals.max_discards)
    inside = allowed.copy()
    inside[:, PASSES] = False
    worst_inside = np.where(inside, values, np.inf).min(axis=1)
    choices = np.where(chosen == PASS, best_choices(values, inside), _choice_of(chosen, asked, slots_of(hands, trumps)))
    of_choice = np.where(inside[at, choices], values[at, choices], worst_inside)
    may_pass = np.flatnonzero(allowed[:, PASSES])
    passed = chosen[may_pass] == PASS
    takes = deals.may_take_turned(rows)
    comes_in = entry_actions(choices, hands, trumps, order, takes)[may_pass]
    more = (of_choice - values[:, PASSES])[may_pass]
    cells = seats[may_pass] * MAX_SEATS + (state.plays[rows[may_pass]] == 1).sum(axis=1)
    yield Alternatives(
        Family.ENTRY,
        rows[may_pass],
        np.where(passed, comes_in, PASS),
        np.where(passed, 1, -1).astype(np.float32),
        more,
        np.concatenate([inputs[may_pass], hidden[may_pass], _by_cell(cells, MAX_SEATS * MAX_SEATS, more)], axis=1),
    )
    inside[at, choices] = False
    draws = np.flatnonzero((chosen != PASS) & inside.any(axis=1))
    others = best_choices(values, inside)[draws]
    more = values[draws, others] - of_choice[draws]
    changed = one_hot(others - DISCARDS, SUBSETS) - one_hot(choices[draws] - DISCARDS, SUBSETS)
    yield Alternatives(
        Family.DISCARDS,
        rows[draws],
        entry_actions(others, hands[draws], trumps[draws], order[draws], takes[draws]),
        np.ones(len(draws), dtype=np.float32),
        more,
        np.concatenate([hidden[draws], changed, _by_cell(np.zeros_like(draws), 1, more)], axis=1),
    )


def _choice_of(chosen: Ints, asked: Small, slots: Ints) -> Ints:
    """Returns the judged choice of each action that comes in, draws or stays."""
    subsets = np.maximum(chosen - COME_IN, 0) % SUBSETS
    discards = ((subsets[:, None] >> slots & 1) << np.arange(slots.shape[1])).sum(axis=1)
    draws = (asked == Asked.ENTER) | (asked == Asked.DRAW)
    return np.where(draws, DISCARDS + discards, COMES_IN)


def _of_cards(deals: LockstepDeals, rows: Ints, legal: Sets, chosen: Ints) -> Alternatives:
    state, networks, at = deals.state, frozen_networks(CHAMPION), np.arange(len(rows))
    inputs, order = card_features(state, rows, np.zeros(len(rows), dtype=np.float32), deals.house)
    hidden = networks.cards.last_hidden(inputs)
    values = networks.cards.outputs(hidden)
    others = card_choices(legal, order)
    choices = (ordered_cards(order) == (chosen - CARD_ACTIONS)[:, None]).argmax(axis=1)
    others[at, choices] = False
    best = best_choices(values, others)
    more = values[at, best] - values[at, choices]
    cells = state.tricks[rows] * 2 + (state.in_trick[rows] > 0)
    changed = one_hot(best, CARD_CHOICES) - one_hot(choices, CARD_CHOICES)
    facts = np.concatenate([hidden, changed, _by_cell(cells, MOST_CARDS * 2, more)], axis=1)
    return Alternatives(
        Family.CARDS, rows, card_actions(best, order), np.ones(len(rows), dtype=np.float32), more, facts
    )


def _by_cell(cells: Ints, number: int, judged: Floats) -> Floats:
    """Returns a one and the judgement at the place of each row's cell, of shape (rows, 2 * number)."""
    one = one_hot(cells, number)
    return np.concatenate([one, one * judged[:, None]], axis=1)
