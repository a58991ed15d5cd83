"""Deals hidden cards many times at once, as `bourre.sampling.dealing` does one by one."""

from __future__ import annotations

from math import comb
from random import Random
from typing import Final

import numpy as np

from bourre.sampling.dealing import Dealing
from bourre_lab.batch_deals.card_sets import CARD_COUNT, FIRST_CARD, NONE, Flags, Ints, Sets, count, has, sets_of
from bourre_lab.batch_deals.state import MOST_CARDS

_ROUNDS: Final = 3
"""How often rows without fitting hands are dealt again at once, before they are dealt one by one."""
_CARDS: Final = np.arange(FIRST_CARD, FIRST_CARD + CARD_COUNT)
_WAYS: Final = np.array([[comb(cards, some) for some in range(MOST_CARDS + 1)] for cards in range(CARD_COUNT + 1)])


def deal_many(dealing: Dealing, rows: int, rng: np.random.Generator) -> Sets:
    """Returns the unknown cards of each of the dealing's holdings, of shape (rows, holdings).

    All fitting assignments are equally likely, as in `Dealing`. There are fewer rows if nothing fits.
    """
    hands: Sets = np.zeros((rows, len(dealing.holdings)), dtype=np.uint64)
    left = np.arange(rows)
    for _ in range(_ROUNDS):
        if not left.size:
            return hands
        dealt, fits = _deal(dealing, len(left), rng)
        hands[left[fits]] = dealt[fits]
        left = left[~fits]
    dice = Random(int(rng.integers(2**63)))
    for row in left.tolist():
        found = dealing.deal(dice)
        if found is None:
            return np.delete(hands, left[left >= row], axis=0)
        hands[row] = [found[holding.seat] for holding in dealing.holdings]
    return hands


def _deal(dealing: Dealing, rows: int, rng: np.random.Generator) -> tuple[Sets, Flags]:
    """Returns hands, and which of them fit and are accepted."""
    hands: Sets = np.zeros((rows, len(dealing.holdings)), dtype=np.uint64)
    left: Sets = np.full(rows, dealing.hypothesis.pool, dtype=np.uint64)
    accepted, fits = np.ones(rows), np.ones(rows, dtype=np.bool_)
    for at, (holding, most) in enumerate(zip(dealing.holdings, dealing.most, strict=True)):
        choices = left & np.uint64(holding.possible)
        accepted *= _WAYS[count(choices), holding.unknown] / max(1, most)
        hands[:, at] = _drawn(choices, holding.unknown, rng)
        left &= ~hands[:, at]
        fits &= count(hands[:, at] & np.uint64(holding.gathered)) <= holding.most_gathered
    fits &= rng.random(rows) < accepted
    for at, holding in enumerate(dealing.holdings):
        if holding.plays:
            open_rows = np.flatnonzero(fits)
            fits[open_rows] = [holding.fits(hand) for hand in hands[open_rows, at].tolist()]
    return hands, fits


def _drawn(choices: Sets, number: int, rng: np.random.Generator) -> Sets:
    """Returns this many random cards of each set. Other cards stand for missing ones."""
    if not number:
        return np.full(len(choices), NONE)
    keys = rng.random((len(choices), CARD_COUNT), dtype=np.float32) + ~has(choices[:, None], _CARDS)
    places: Ints = keys.argpartition(number - 1, axis=1)[:, :number]
    cards: Sets = np.bitwise_or.reduce(sets_of(places + FIRST_CARD), axis=1)
    return cards
