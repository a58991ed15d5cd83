"""The bots of `examples/`, played in step; `tests/champion/test_training.py` proves them equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from bourre.rules.cards import DECK, card_set
from bourre_lab.batch_deals import CARD_ACTIONS, LockstepDeals
from bourre_lab.batch_deals.card_sets import (
    BEATING_SETS,
    NONE,
    SUIT_SETS,
    Flags,
    Ints,
    Sets,
    count,
    highest,
    lowest,
    sets_of,
    sorted_cards,
)
from bourre_lab.batch_deals.table import BatchPlayer
from research.champion.entry_answers import HAND, answers

JACK, QUEEN, KING, ACE = 11, 12, 13, 14
_ALL = np.uint64(card_set(DECK))
_FROM_RANK: Final = {rank: np.uint64(card_set(card for card in DECK if card.rank >= rank)) for rank in range(2, 16)}
_ANY: Final = 15
"""A rank above the ace: no card counts as high."""


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of the seats to act, and their trumps."""

    cards: Sets
    trumps: Sets
    deals: LockstepDeals
    rows: Ints

    @property
    def count(self) -> Ints:
        """How many trumps each hand holds."""
        return count(self.trumps)

    def high(self, rank: int) -> Ints:
        """Returns how many trumps of this rank or above each hand holds."""
        return count(self.trumps & _FROM_RANK[rank])


def _pot_aware(hands: Hands) -> Flags:
    state = hands.deals.state
    rivals = (state.plays[hands.rows] != 0).sum(axis=1) - 1
    high = hands.high(QUEEN)
    aces = count(hands.cards & ~hands.trumps & _FROM_RANK[ACE])
    hopes = 0.9 * high + 0.5 * (hands.count - high) + 0.4 * aces
    win = np.minimum(0.9, hopes / (1.5 + 0.5 * rivals))
    none = np.maximum(0.0, 1 - hopes / 1.5)
    pot = state.pot[hands.rows]
    limit = hands.deals.house.pot_limit
    prize = pot if limit is None else np.minimum(pot, limit)
    worth_it: Flags = win * prize > none * prize + 0.1 * prize
    return worth_it


def _follower(hands: Hands) -> Flags:
    plays = hands.deals.state.plays[hands.rows]
    rivals, to_come = (plays == 1).sum(axis=1), (plays == -1).sum(axis=1) - 1
    light: Flags = (rivals < 3) & (hands.count + hands.high(QUEEN) >= 1 + rivals + to_come / 4)
    return light


def _low_if_following(deals: LockstepDeals, rows: Ints, legal: Sets) -> Ints:
    return np.where(deals.state.in_trick[rows] > 0, lowest(legal), highest(legal))


def _counted(deals: LockstepDeals, rows: Ints, legal: Sets) -> Ints:
    """Plays as `counter` does: safe cards first."""
    state = deals.state
    seats, trump = deals.to_act[rows], state.trump[rows]
    turned = state.turned[rows]
    own = state.hands[rows, seats] | state.discarded[rows, seats] | state.dead[rows]
    turned_set = np.where(turned > 0, sets_of(turned), NONE)
    out = (_ALL & ~(own | state.seen[rows] | state.laid[rows])) | (turned_set & ~state.dead[rows])
    safe = np.zeros(len(rows), dtype=np.uint64)
    for card in sorted_cards(legal, HAND).T:
        number = np.minimum(card, 59)
        beaten = (out & BEATING_SETS[trump, number] & ~sets_of(number)) != NONE
        safe |= np.where((card < 64) & ~beaten, sets_of(number), NONE)
    trumps = SUIT_SETS[trump]
    plain = legal & ~trumps
    cheapest = lowest(np.where(plain != NONE, plain, legal))
    follow = np.where(safe != NONE, lowest(safe), cheapest)
    safe_trumps = safe & trumps
    best = highest(np.where(safe_trumps != NONE, safe_trumps, np.where(safe != NONE, safe, legal)))
    return np.where(state.in_trick[rows] > 0, follow, best)


@dataclass(frozen=True, slots=True)
class Example(BatchPlayer):
    """A bot of `examples/` that tosses no coins."""

    comes_in: Callable[[Hands], Flags]
    keeps_from: int
    """Of the cards that are not trumps, it keeps those of this rank and above."""
    play: Callable[[LockstepDeals, Ints, Sets], Ints] = _low_if_following
    stands_pat: bool = False

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        state = deals.state
        if state.in_trick[rows[:1]].size and deals.asked[rows[0]] == 5:
            return self.play(deals, rows, deals.legal_cards(rows)) + CARD_ACTIONS
        cards = state.hands[rows, deals.to_act[rows]]
        trumps = cards & SUIT_SETS[state.trump[rows]]
        weak = np.zeros_like(cards) if self.stands_pat else cards & ~trumps & ~_FROM_RANK[self.keeps_from]
        return answers(deals, rows, self.comes_in(Hands(cards, trumps, deals, rows)), weak)


EXAMPLES: Final[dict[str, Example]] = {
    "drawer": Example(lambda hands: (hands.count >= 2) | (hands.high(QUEEN) >= 1), _ANY),
    "tight": Example(lambda hands: (hands.count >= 3) | ((hands.count == 2) & (hands.high(KING) >= 1)), KING),
    "counter": Example(lambda hands: (hands.count >= 2) | (hands.high(KING) >= 1), KING, _counted),
    "pot_aware": Example(_pot_aware, ACE),
    "follower": Example(_follower, ACE),
    "loose": Example(
        lambda hands: (hands.count > 0) | (hands.cards & _FROM_RANK[JACK] != NONE),
        JACK,
        lambda deals, rows, legal: highest(legal),
    ),
    "lowest": Example(lambda hands: hands.count > 0, _ANY, lambda deals, rows, legal: lowest(legal), stands_pat=True),
}
"""The examples by name, but `random_bot`, which tosses coins, and `monte_carlo`, which samples."""


@dataclass(frozen=True, slots=True)
class Random(BatchPlayer):
    """Tosses coins for everything, as `random_bot` does."""

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        if deals.asked[rows[0]] == 5:
            legal = sorted_cards(deals.legal_cards(rows), HAND)
            number = (legal < 64).sum(axis=1)
            pick = (rng.random(len(rows)) * number).astype(np.int64)
            return np.take_along_axis(legal, pick[:, None], axis=1)[:, 0] + CARD_ACTIONS
        cards = deals.state.hands[rows, deals.to_act[rows]]
        ranked = sorted_cards(cards, HAND)
        thrown = rng.random(ranked.shape).argsort(axis=1) < rng.integers(0, deals.max_discards + 1, len(rows))[:, None]
        weak = np.bitwise_or.reduce(np.where(thrown & (ranked < 64), sets_of(np.minimum(ranked, 63)), NONE), axis=1)
        return answers(deals, rows, rng.random(len(rows)) < 0.5, weak)
