"""Samples hidden cards by how likely the champion came in with them, for decisions after others have come in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final

import numpy as np

from bourre.rules.house import ORDERS, HouseRules
from bourre.rules.view import View
from bourre.sampling import ImpossibleView, SampledDeal
from bourre.sampling.dealing import Dealing
from bourre.sampling.samples import dealings_of, make_sample
from bourre_lab.batch_deals.card_sets import Sets
from bourre_lab.champion.batch_actions import BatchChampion
from bourre_lab.champion.entered_hands import EnteredHands
from bourre_lab.champion.view_state import state_of
from bourre_lab.champion.weights import Floats
from bourre_lab.review.batch_dealing import deal_many

_TRIES: Final = 4
"""The fitting deals of which one is kept, by their weights."""
_DECKS: Final = 10_000
"""The deals that show what the champion comes in with: half a second, and a tenth of the weights' spread as error."""


def weighed_deals(view: View, samples: int, seed: str) -> list[SampledDeal]:
    """Returns this many deals that fit the view; raises ImpossibleView.

    The seats that are in likelier hold what the champion comes in with, and draws so many cards to.
    """
    rng, dice = np.random.default_rng(list(seed.encode())), Random(seed)
    parts = list(_fitting(view, samples * _TRIES, rng))
    keys = np.concatenate([_log_weights(view, dealing, hands) for dealing, hands in parts])
    keys += rng.gumbel(size=len(keys))
    deals = [(dealing, hand) for dealing, hands in parts for hand in hands.tolist()]
    kept = [deals[at] for at in np.argsort(-keys, kind="stable")[:samples].tolist()]
    return [
        make_sample(
            view,
            dealing.hypothesis,
            {holding.seat: cards for holding, cards in zip(dealing.holdings, hand, strict=True)},
            dice,
        )
        for dealing, hand in kept
    ]


def _fitting(view: View, number: int, rng: np.random.Generator) -> Iterator[tuple[Dealing, Sets]]:
    """Yields fitting hands by their dealing, in proportion to its likelihood. Impossible dealings yield none."""
    dealings = dealings_of(view)
    while number:
        if not dealings:
            raise ImpossibleView("In this view, no hands of the other seats are consistent with their plays.")
        likelihoods = np.array([dealing.hypothesis.likelihood for dealing in dealings])
        shares = rng.multinomial(number, likelihoods / likelihoods.sum())
        possible = []
        for dealing, share in zip(dealings, shares.tolist(), strict=True):
            hands = deal_many(dealing, share, rng)
            number -= len(hands)
            if len(hands) == share:
                possible.append(dealing)
            yield dealing, hands
        dealings = possible


def _log_weights(view: View, dealing: Dealing, dealt: Sets) -> Floats:
    places = {seat: place for place, seat in enumerate(ORDERS[view.seats][view.dealer])}
    state = state_of(view).at(np.zeros(len(dealt), dtype=np.int64))
    for at, holding in enumerate(dealing.holdings):
        state.hands[:, places[holding.seat]] = dealt[:, at] | np.uint64(holding.known)
    return _entered_hands(view.house, view.seats).log_weights(state, state.to_act)


@cache
def _entered_hands(house: HouseRules, seats: int) -> EnteredHands:
    """Returns the same weights in every process."""
    return EnteredHands(BatchChampion(), house, seats, np.random.default_rng(seats), _DECKS)
