"""Deals hidden cards at random, consistent with everything that was seen."""

from __future__ import annotations

from math import comb
from random import Random

from bourre.rules.cards import card_set, cards_in
from bourre.sampling.evidence import Evidence, Holding
from bourre.sampling.search import search

TRIES = 200
"""Attempts at exact sampling before `search` takes over."""


class Dealing:
    """Fills the holdings of one evidence, any number of times.

    All assignments that fit are equally likely: holdings draw their cards in turn, the most constrained first; because
    that favours some assignments, each is accepted in proportion to the choices it had, relative to the most possible.
    Only after TRIES failures does a search find an assignment that fits, not quite uniformly.
    """

    def __init__(self, evidence: Evidence, trumps: int) -> None:
        """`trumps` is the set of all trumps, empty while they are not named."""
        self.evidence = evidence
        self._trumps = trumps
        self._holdings = sorted(evidence.holdings, key=lambda holding: self._choices(holding) - holding.unknown)
        self._most = [self._most_ways(at) for at in range(len(self._holdings))]

    def deal(self, rng: Random) -> dict[int, int] | None:
        """Returns the unknown cards by seat, as sets; None if none fit."""
        for _ in range(TRIES):
            hands = self._try(rng)
            if hands is not None:
                return hands
        return search(self._holdings, self.evidence.pool, self._trumps, rng)

    def _try(self, rng: Random) -> dict[int, int] | None:
        left = self.evidence.pool
        hands = {}
        accepted = 1.0
        for holding, most in zip(self._holdings, self._most, strict=True):
            choices = cards_in(left & holding.possible)
            if len(choices) < holding.unknown:
                return None
            accepted *= comb(len(choices), holding.unknown) / most
            hand = card_set(rng.sample(choices, holding.unknown))
            hands[holding.seat] = hand
            left ^= hand
        if accepted < 1 and rng.random() >= accepted:
            return None
        return hands if all(holding.fits(hands[holding.seat]) for holding in self._holdings) else None

    def _choices(self, holding: Holding) -> int:
        return (holding.possible & self.evidence.pool).bit_count()

    def _most_ways(self, at: int) -> int:
        """Returns the most ways to fill a holding, those before it taking as few of its cards as possible."""
        holding = self._holdings[at]
        taken = 0
        for earlier in self._holdings[:at]:
            elsewhere = earlier.possible & ~holding.possible & self.evidence.pool
            taken += max(0, earlier.unknown - elsewhere.bit_count())
        return comb(max(0, self._choices(holding) - taken), holding.unknown)
