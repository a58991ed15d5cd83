"""The inputs of the networks: the facts that a seat may know, as numbers, relative to its place at the table."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre.rules.cards import DECK, card_set
from bourre.rules.house import MAX_SEATS, MIN_SEATS, HouseRules
from bourre_lab.batch_deals.action_numbers import Asked
from bourre_lab.batch_deals.card_sets import (
    BEATING_SETS,
    CARD_COUNT,
    FIRST_CARD,
    NONE,
    SUIT_SETS,
    Ints,
    Sets,
    has,
    sets_of,
    spread,
)
from bourre_lab.batch_deals.state import State

RANKS: Final = CARD_COUNT // 4
_RANK_VALUES: Final = 1 << np.arange(RANKS)
_TRUMPS_FIRST: Final = 1 << RANKS
Bits = NDArray[np.float32]


def suit_order(hands: Sets, trumps: Ints) -> Ints:
    """Returns the suits of each hand in order, of shape (hands, 4). A trump of -1 is not named yet."""
    keys = np.tensordot(spread(hands).astype(np.int64), _RANK_VALUES, axes=([1], [0]))
    named = np.flatnonzero(trumps >= 0)
    keys[named, trumps[named]] += _TRUMPS_FIRST
    return np.argsort(-keys, axis=1, kind="stable")


def ordered_bits(sets: Sets, order: Ints) -> Bits:
    """Returns each set as 52 zeros and ones, suit by suit in this order, the lowest rank of each first."""
    by_suit = np.ascontiguousarray(spread(sets).transpose(0, 2, 1)).reshape(-1, RANKS)
    places = np.arange(len(sets))[:, None] * 4 + order
    bits: Bits = by_suit[places].reshape(len(sets), CARD_COUNT).astype(np.float32)
    return bits


def ordered_cards(order: Ints) -> Ints:
    """Returns the card number at each of the 52 places of `ordered_bits`, of shape (orders, 52)."""
    ranks = np.arange(RANKS) * 4 + FIRST_CARD
    cards: Ints = (order[:, :, None] + ranks).reshape(len(order), CARD_COUNT)
    return cards


_OTHERS: Final = MAX_SEATS - 1
_MOST_CARDS: Final = 5
_ALL_CARDS: Final = np.uint64(card_set(DECK))
_ENTRY_STATES: Final = 9
"""The states of a seat: to come, passed, in but not drawn, in with 0 to 5 drawn cards. An absent seat has zeros."""
_DECISIONS: Final = (Asked.NAME_TRUMP, Asked.ENTER, Asked.DECLARE, Asked.DRAW, Asked.STAY)
_HOUSE_FACTS: Final = 8
ENTRY_FEATURES: Final = (
    52 + RANKS + len(_DECISIONS) + 1 + (MAX_SEATS - MIN_SEATS + 1) + MAX_SEATS + _OTHERS * _ENTRY_STATES + _HOUSE_FACTS
)
_SEAT_FACTS: Final = 7 + 3 + 2 + 4 + 3
CARD_FEATURES: Final = 52 * 3 + _MOST_CARDS + 4 + 1 + _OTHERS * _SEAT_FACTS + 10 + _HOUSE_FACTS + RANKS + 4


def entry_features(state: State, rows: Ints, exempt: Bits, house: HouseRules) -> tuple[Bits, Ints]:
    """Returns the features of decisions before the play, of shape (rows, ENTRY_FEATURES), and the orders of suits.

    `exempt` is the value of an exemption from the next ante, as a share of the pot.
    """
    seats, count = state.to_act[rows], state.plays.shape[1]
    hands = state.hands[rows, seats]
    order = suit_order(hands, state.trump[rows])
    others = (seats[:, None] + np.arange(1, count)) % count
    plays = np.take_along_axis(state.plays[rows], others, axis=1)
    drawn = np.take_along_axis(state.drawn[rows], others, axis=1)
    standing = np.where(plays == -1, 0, np.where(plays == 0, 1, drawn + 3))
    others_bits = np.zeros((len(rows), _OTHERS, _ENTRY_STATES), dtype=np.float32)
    others_bits[:, : count - 1] = one_hot(standing, _ENTRY_STATES)
    turned = state.turned[rows]
    turned_bits = one_hot(np.where(turned > 0, turned // 4 - 2, -1), RANKS)
    parts = (
        ordered_bits(hands, order),
        turned_bits,
        one_hot(np.searchsorted(_DECISIONS, state.asked[rows]), len(_DECISIONS)),
        exempt[:, None],
        one_hot(np.full(len(rows), count - MIN_SEATS), MAX_SEATS - MIN_SEATS + 1),
        one_hot(count - 1 - seats, MAX_SEATS),
        others_bits.reshape(len(rows), -1),
        _house_facts(house, len(rows)),
    )
    return np.concatenate(parts, axis=1), order


def card_features(state: State, rows: Ints, exempt: Bits, house: HouseRules) -> tuple[Bits, Ints]:
    """Returns the features of plays, of shape (rows, CARD_FEATURES), and the orders of suits."""
    seats = state.to_act[rows]
    hands = state.hands[rows, seats]
    order = suit_order(hands, state.trump[rows])
    unseen = unseen_cards(state, rows)
    leads = state.in_trick[rows] == 0
    best = np.where(leads, NONE, sets_of(state.best[rows]))
    led_place = (order == (state.led[rows] & 3)[:, None]).argmax(axis=1)
    turned = state.turned[rows]
    at_large = (turned > 0) & ~has(state.seen[rows] | state.laid[rows] | state.dead[rows] | hands, turned)
    parts = (
        ordered_bits(hands, order),
        ordered_bits(unseen, order),
        ordered_bits(best, order),
        one_hot(state.tricks[rows], _MOST_CARDS),
        one_hot(np.where(leads, -1, led_place), 4),
        exempt[:, None],
        _others_facts(state, rows, order, unseen),
        _own_facts(state, rows),
        _house_facts(house, len(rows)),
        one_hot(np.where(at_large, turned // 4 - 2, -1), RANKS),
        one_hot(np.minimum(state.won[rows, seats], 3), 4),
    )
    return np.concatenate(parts, axis=1), order


def unseen_cards(state: State, rows: Ints) -> Sets:
    """Returns the cards that the seat to act has not seen or held. They contain the turned card of a dealer."""
    seats = state.to_act[rows]
    known = state.hands[rows, seats] | state.discarded[rows, seats] | state.dead[rows]
    return _ALL_CARDS & ~(known | state.seen[rows] | state.laid[rows])


def _others_facts(state: State, rows: Ints, order: Ints, unseen: Sets) -> Bits:
    """Returns the known facts of each other seat, from the left, of shape (rows, 7 * facts); zeros if it is out."""
    seats, count = state.to_act[rows], state.plays.shape[1]
    facts = np.zeros((len(rows), _OTHERS, _SEAT_FACTS), dtype=np.float32)
    suits = SUIT_SETS[order]
    beating = BEATING_SETS[state.trump[rows], state.best[rows]] * (state.in_trick[rows] > 0)
    for step in range(1, count):
        others = (seats + step) % count
        at = np.flatnonzero(state.plays[rows, others] == 1)
        other, deals = others[at], rows[at]
        possible = unseen[at] & ~state.barred_cards[deals, other]
        laid = (state.played[deals, other] & state.laid[deals]) != NONE
        won = state.won[deals, other]
        one = np.zeros((len(at), _SEAT_FACTS), dtype=np.float32)
        one[:, :7] = one_hot(state.drawn[deals, other] + 1, 7)
        one[:, 7] = won == 0
        one[:, 8] = won == 1
        one[:, 9] = won >= 2
        one[:, 10] = laid
        one[:, 11] = laid & (state.taker[deals] == other)
        one[:, 12:16] = (possible[:, None] & suits[at]) != NONE
        one[:, 16] = (possible & beating[at] != NONE) & ~laid
        one[:, 17] = other == count - 1
        one[:, 18] = 1
        facts[at, step - 1] = one
    return facts.reshape(len(rows), -1)


def _own_facts(state: State, rows: Ints) -> Bits:
    """Returns the place in the trick, the number of players and the seat's draw, of shape (rows, 10)."""
    seats, count = state.to_act[rows], state.plays.shape[1]
    left = state.playing[rows] - state.in_trick[rows] - 1
    facts = np.zeros((len(rows), 10), dtype=np.float32)
    facts[:, 0] = left == 0
    facts[:, 1] = left / 4
    facts[:, 2] = state.in_trick[rows] == 0
    facts[:, 3:7] = one_hot(np.minimum(state.playing[rows], 5) - 2, 4)
    facts[:, 7] = state.drawn[rows, seats] / _MOST_CARDS
    facts[:, 8] = seats == count - 1
    facts[:, 9] = state.playing[rows] / MAX_SEATS
    return facts


def _house_facts(house: HouseRules, rows: int) -> Bits:
    """Returns the relevant differences of the house rules from `limit`, of shape (rows, 8)."""
    facts = [
        house.cards == 4,
        not house.must_beat,
        house.must_trump != "always",
        not house.cinch,
        not house.dealer_holds_turned,
        house.cost_to_enter > 0,
        house.lead_honour != "none",
        house.tie == "divide",
    ]
    return np.broadcast_to(np.array(facts, dtype=np.float32), (rows, _HOUSE_FACTS))


def one_hot(values: Ints, size: int) -> Bits:
    """Returns ones at these places, of shape (*values.shape, size); zeros for a value outside 0 to size - 1.

    Values are from -128 to 127.
    """
    bits: Bits = (values.astype(np.int8)[..., None] == np.arange(size, dtype=np.int8)).astype(np.float32)
    return bits


__all__ = ["CARD_FEATURES", "ENTRY_FEATURES", "card_features", "entry_features", "unseen_cards"]
