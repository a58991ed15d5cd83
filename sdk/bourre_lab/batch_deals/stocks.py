"""The stocks of many deals, dealt from the top and replenished from the discards (R4.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals.card_sets import CARD_COUNT, FIRST_CARD, NONE, Flags, Ints, Sets, has, sets_of

Shuffles: TypeAlias = Callable[[Ints, Ints], Ints]
"""A function that returns an order of all 52 cards for each of these deals and the number of the gathering, from 1."""
_MOST_SERVED = 5
_COLUMNS = ("_cards", "_next", "_end", "_gatherings", "passed", "discards")


def random_decks(deals: int, rng: np.random.Generator) -> Ints:
    """Returns this many shuffled decks: card numbers, of shape (deals, 52), in the order of dealing."""
    return rng.random((deals, CARD_COUNT), dtype=np.float32).argsort(axis=1) + FIRST_CARD


class Stocks:
    """The undealt cards of many deals, and the piles that replenish them."""

    def __init__(self, cards: Ints, top: Ints | int, house: HouseRules, shuffles: Shuffles) -> None:
        """`cards` has shape (deals, 52). The first `top`, one number or one for each deal, are dealt already."""
        deals = len(cards)
        self._cards = cards.copy()
        self._next = np.full(deals, top)
        self._end = np.full(deals, CARD_COUNT)
        self._gatherings = np.zeros(deals, dtype=np.int64)
        self._sources = np.arange(deals)
        """The deals whose gatherings `shuffles` orders."""
        self._folded_first = house.gathers_passed_first
        self._shuffles = shuffles
        self.passed: Sets = np.zeros(deals, dtype=np.uint64)
        """The passed hands on the pile."""
        self.discards: Sets = np.zeros(deals, dtype=np.uint64)
        """The discards of the served seats."""

    def put(self, rows: Ints, other: Stocks) -> None:
        """Replaces the stocks of these deals by those of `other`, in order. Later gatherings follow from `shuffles`."""
        for name in _COLUMNS:
            getattr(self, name)[rows] = getattr(other, name)

    def at(self, rows: Ints) -> Stocks:
        """Returns copies of these stocks. Later gatherings are shuffled as those of the copied deals."""
        copied = copy(self)
        for name in (*_COLUMNS, "_sources"):
            setattr(copied, name, getattr(self, name)[rows])
        return copied

    @property
    def replenished(self) -> Flags:
        """Flags of the deals whose stock has been replenished."""
        return self._gatherings > 0

    def shuffle_undealt(self, free: Flags, rng: np.random.Generator) -> Ints:
        """Shuffles the stocks together with the cards at these free places of the decks, and returns the decks.

        `free` has shape (deals, 52). Replenished stocks stay as they are.
        """
        places = np.arange(CARD_COUNT)
        free = (free | (places >= self._next[:, None])) & ~self.replenished[:, None]
        target = np.argsort(~free, axis=1, kind="stable")
        source = np.argsort(np.where(free, rng.random(free.shape, dtype=np.float32), 1 + places), axis=1)
        np.put_along_axis(self._cards, target, np.take_along_axis(self._cards, source, axis=1), axis=1)
        return self._cards

    def serve(self, rows: Ints, number: Ints) -> Sets:
        """Deals this many cards to the seat to act of each of these deals, and returns them."""
        served = np.zeros(len(rows), dtype=np.uint64)
        owed = number.copy()
        while owed.any():
            have = np.minimum(owed, self._end[rows] - self._next[rows])
            served |= self._take(rows, have)
            owed -= have
            short = np.flatnonzero(owed)
            if short.size:
                self._gather(rows[short])
        return served

    def _take(self, rows: Ints, number: Ints) -> Sets:
        places = np.minimum(self._next[rows, None] + np.arange(_MOST_SERVED), CARD_COUNT - 1)
        cards = sets_of(self._cards[rows[:, None], places])
        wanted: Flags = np.arange(_MOST_SERVED) < number[:, None]
        self._next[rows] += number
        taken: NDArray[np.uint64] = np.bitwise_or.reduce(np.where(wanted, cards, NONE), axis=1)
        return taken

    def _gather(self, rows: Ints) -> None:
        """Shuffles the pile of each of these deals into a new stock."""
        only_passed = self._folded_first & (self.passed[rows] != NONE)
        pile = self.passed[rows] | np.where(only_passed, NONE, self.discards[rows])
        if not pile.all():
            raise AssertionError("52 cards suffice for every seat")
        self.passed[rows] = NONE
        self.discards[rows[~only_passed]] = NONE
        self._gatherings[rows] += 1
        order = self._shuffles(self._sources[rows], self._gatherings[rows])
        inside = has(pile[:, None], order)
        self._cards[rows] = np.take_along_axis(order, np.argsort(~inside, axis=1, kind="stable"), axis=1)
        self._next[rows] = 0
        self._end[rows] = inside.sum(axis=1)


def joined_stocks(several: Sequence[Stocks]) -> Stocks:
    """Returns the stocks of several copies of the same deals, in order."""
    result = copy(several[0])
    for name in (*_COLUMNS, "_sources"):
        setattr(result, name, np.concatenate([getattr(stocks, name) for stocks in several]))
    return result
