"""Judges what each choice of a seat brings, in chips."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from bourre.champion.choices import (
    COMES_IN,
    DISCARDS,
    NAMES,
    PASSES,
    card_choices,
    entry_choices,
    slots_of,
)
from bourre.champion.features import card_features, entry_features
from bourre.champion.suit_order import ordered_cards
from bourre.champion.view_state import state_of
from bourre.champion.weights import frozen_networks
from bourre.lockstep.actions import Asked
from bourre.lockstep.card_sets import FIRST_CARD, sorted_cards
from bourre.lockstep.state import State
from bourre.rules.actions import PLAYS, Choice, Declare, Draw, NameTrump, Stay
from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.view import View

_ROW: Final = np.zeros(1, dtype=np.int64)
_HAND: Final = 5


class Judged(NamedTuple):
    """A choice, and what it is expected to bring."""

    choice: Choice
    chips: float
    """What the seat takes from the pot less what it pays from now to the deal's end, with an equal share of what is
    left in the pot; both as expected against the players of the champion's training."""


def judge(view: View) -> tuple[Judged, ...]:
    """Returns the sensible choices with what each is expected to bring, in chips.

    Discards that keep a card below one thrown away of the same suit are left out, and so is taking a turned card.
    """
    state = state_of(view)
    exempt = np.array([exemption(view)], dtype=np.float32)
    stake = max(1, view.match)
    left = (view.pot - stake) / view.seats
    networks = frozen_networks()
    if state.asked[0] == Asked.PLAY:
        inputs, order = card_features(state, _ROW, exempt, view.house)
        values = networks.cards(inputs)[0]
        legal = np.array([card_set(view.legal)], dtype=np.uint64)
        places = np.flatnonzero(card_choices(legal, order)[0])
        cards = ordered_cards(order)[0, places]
        choices: list[Choice] = [PLAYS[DECK[card - FIRST_CARD]] for card in cards.tolist()]
    else:
        inputs, order = entry_features(state, _ROW, exempt, view.house)
        values = networks.entry(inputs)[0]
        hand = state.hands[0, state.to_act]
        places = np.flatnonzero(entry_choices(state.asked, hand, state.trump, view.max_discards)[0])
        choices = _entry_choices(places.tolist(), state, order[0].tolist(), view)
    return tuple(
        Judged(choice, value * stake + left) for choice, value in zip(choices, values[places].tolist(), strict=True)
    )


def exemption(view: View) -> float:
    """Returns what not paying the next ante is worth, as a share of the pot; nothing where deals are settled singly.

    A view does not tell how deals are settled. Where all have paid the same so far, as at the start of each deal that
    is settled by itself, it is taken to be so.
    """
    house = view.house
    if not house.exempt_bourre or len(set(view.balances)) == 1 or house.ante_when != "always":
        return 0.0
    return house.ante / max(1, view.match)


def _entry_choices(places: list[int], state: State, order: list[int], view: View) -> list[Choice]:
    hand = state.hands[0, state.to_act]
    slots = slots_of(hand, state.trump)[0].tolist()
    cards = sorted_cards(hand, _HAND)[0].tolist()
    best_first = [DECK[cards[slot] - FIRST_CARD] for slot in slots if cards[slot] < FIRST_CARD + len(DECK)]
    return [_entry_choice(place, best_first, order, view) for place in places]


def _entry_choice(place: int, best_first: list[Card], order: list[int], view: View) -> Choice:
    asked_to_stay = view.decision == "stay"
    if place == PASSES:
        return Stay(False) if asked_to_stay else Declare(False)
    if place == COMES_IN:
        return Stay(True) if asked_to_stay else Declare(True)
    if place >= NAMES:
        return NameTrump(Suit(order[place - NAMES]))
    discards = tuple(sorted(card for slot, card in enumerate(best_first) if (place - DISCARDS) >> slot & 1))
    return Draw(discards) if view.plays[view.seat] else Declare(True, discards)
