"""Samples hidden cards with which the champion would have acted like the other seats before the play."""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np

from bourre.rules.cards import DECK, card_set, cards_in
from bourre.rules.house import ORDERS
from bourre.rules.view import View
from bourre.sampling import SampledDeal, sample_deals
from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.action_numbers import NAME_TRUMP
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.entry import BatchEntry
from bourre_lab.batch_deals.state import State
from bourre_lab.champion.batch_actions import champion_actions
from bourre_lab.champion.weights import Floats
from bourre_lab.review.weighed_deals import weighed_deals

_TRIES: Final = 20
"""The deals that are tried for each sample. The nearest to the view are kept."""
_OTHER_CHOICE: Final = 100
"""The distance of a deal for each seat with another declaration. Each other drawn card counts 1."""


def likely_deals(view: View, samples: int, seed: str) -> list[SampledDeal]:
    """Returns this many deals that fit the view; raises ImpossibleView.

    Seats that come in have better cards than average. If the seat declares after others, the champion in their place
    must come in and pass as they did, and draw about as many cards. If there are too few such deals, and at later
    decisions, hands that the champion comes in with are likelier. If nobody else is in, any fitting deals are returned.
    """
    place = ORDERS[view.seats][view.dealer].index(view.seat)
    if not any(plays for seat, plays in enumerate(view.plays) if seat != view.seat):
        return list(sample_deals(view, samples, Random(seed)))
    found = _entered_deals(view, place, samples, seed) if _is_open(view, place) else []
    missing = samples - len(found)
    return [*found, *weighed_deals(view, missing, seed)] if missing else found


def _is_open(view: View, place: int) -> bool:
    """Whether the seat at this place declares now, or draws as it declares, and only earlier seats are in."""
    later = ORDERS[view.seats][view.dealer][place + 1 :]
    declares = view.decision == "declare" or (view.decision == "draw" and view.house.declares_in_turn)
    return declares and not view.house.declares_at_once and all(view.plays[seat] is None for seat in later)


def _entered_deals(view: View, place: int, samples: int, seed: str) -> list[SampledDeal]:
    rng, dice = np.random.default_rng(list(seed.encode())), Random(seed)
    deals = LockstepDeals(view.house, view.seats)
    deals.reset(_decks(view, place, samples * _TRIES, rng), view.pot)
    _let_enter(deals, place, view)
    distance = _distance(deals.state, place, view)
    nearest = np.argsort(distance, kind="stable")[:samples]
    kept = nearest[distance[nearest] < _OTHER_CHOICE]
    return [_sampled(view, deals.state, row, dice) for row in kept.tolist()]


def _decks(view: View, place: int, decks: int, rng: np.random.Generator) -> Ints:
    """Returns decks that deal this seat its hand and turn up the same card."""
    size, seats = view.seats * view.house.cards, view.seats
    fixed: dict[int, int] = {}
    hand = [card for card in view.hand if card != view.turned]
    if view.turned is not None:
        fixed[size - 1 if view.house.dealer_holds_turned else size] = int(view.turned)
    fixed |= dict(zip([at for at in range(place, size, seats) if at not in fixed], map(int, hand), strict=True))
    free = np.array([card for card in map(int, DECK) if card not in fixed.values()])
    places = [at for at in range(len(DECK)) if at not in fixed]
    found = np.empty((decks, len(DECK)), dtype=np.int64)
    found[:, places] = free[rng.random((decks, len(free))).argsort(axis=1)]
    for at, card in fixed.items():
        found[:, at] = card
    return found


def _let_enter(deals: LockstepDeals, place: int, view: View) -> None:
    """Lets the champion decide for the seats before this one."""
    state, entry = deals.state, BatchEntry(view.house, view.seats)
    while True:
        names = state.asked == Asked.NAME_TRUMP
        declares = np.isin(state.asked, (Asked.ENTER, Asked.DECLARE)) & (state.to_act < place)
        rows = np.flatnonzero(names | declares)
        if not rows.size:
            return
        if names[rows[0]]:
            actions: Ints = np.full(len(rows), NAME_TRUMP + int(view.trump))
        else:
            exempt: Floats = np.zeros(len(rows), dtype=np.float32)
            actions = champion_actions(deals, rows, exempt)
        entry.apply(state, rows, actions)
        state.asked[entry.advance(state, rows)] = Asked.NOTHING


def _distance(state: State, place: int, view: View) -> Ints:
    order = ORDERS[view.seats][view.dealer][:place]
    plays = np.array([bool(view.plays[seat]) for seat in order])
    drawn = np.array([-1 if (number := view.drawn[seat]) is None else number for seat in order])
    asked = (state.to_act == place) & (state.asked < Asked.PLAY)
    others = ((state.plays[:, :place] == 1) != plays).sum(axis=1) + ~asked
    distance: Ints = others * _OTHER_CHOICE + np.abs(state.drawn[:, :place] - drawn).sum(axis=1)
    return distance


def _sampled(view: View, state: State, row: int, dice: Random) -> SampledDeal:
    order = ORDERS[view.seats][view.dealer]
    hands = [0] * view.seats
    for place, seat in enumerate(order):
        hands[seat] = 0 if view.plays[seat] is False else int(state.hands[row, place])
    hands[view.seat] = card_set(view.hand)
    gone = sum(hands) | (0 if view.dead is None else 1 << view.dead)
    rest = list(cards_in(card_set(DECK) & ~gone))
    dice.shuffle(rest)
    return SampledDeal(view, tuple(map(cards_in, hands)), tuple(rest))
