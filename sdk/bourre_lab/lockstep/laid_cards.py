"""The tricks of many deals (R5); `bourre.rules.trick_play` is the same for one."""

from __future__ import annotations

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.lockstep.action_numbers import Asked
from bourre_lab.lockstep.card_sets import BEATING_SETS, NONE, SUIT_SETS, Ints, has, sets_of
from bourre_lab.lockstep.legal_cards import Positions
from bourre_lab.lockstep.state import State


def begin_play(state: State, rows: Ints, house: HouseRules) -> None:
    """Lets the first seat in lead, or settles the deals in which fewer than two play (R4.8, R5.1)."""
    plays = state.plays[rows] == 1
    state.playing[rows] = plays.sum(axis=1)
    first = plays.argmax(axis=1)
    contested = state.playing[rows] > 1
    state.leader[rows] = state.to_act[rows] = first
    state.asked[rows] = np.where(contested, Asked.PLAY, Asked.NOTHING)
    alone = state.playing[rows] == 1
    state.won[rows[alone], first[alone]] = house.cards


def positions(state: State, rows: Ints) -> Positions:
    """Returns the positions of the seats to act in these deals."""
    seats = state.to_act[rows]
    in_trick = state.in_trick[rows]
    return Positions(
        hand=state.hands[rows, seats],
        trump=state.trump[rows],
        led=state.led[rows],
        best=state.best[rows],
        laid=state.laid[rows],
        leads=in_trick == 0,
        last=in_trick == state.playing[rows] - 1,
        won=state.won[rows, seats],
        seen=state.seen[rows],
        dead=state.dead[rows],
    )


def lay_cards(state: State, rows: Ints, cards: Ints, house: HouseRules) -> None:
    """Lays a card in each of these deals."""
    seats = state.to_act[rows]
    single = sets_of(cards)
    leads = state.in_trick[rows] == 0
    _note_voids(state, rows, cards, house)
    beats = leads | has(BEATING_SETS[state.trump[rows], state.best[rows]], cards)
    state.hands[rows, seats] &= ~single
    state.played[rows, seats] |= single
    state.led[rows] = np.where(leads, cards, state.led[rows])
    state.best[rows] = np.where(beats, cards, state.best[rows])
    state.taker[rows] = np.where(beats, seats, state.taker[rows])
    state.laid[rows] |= single
    state.in_trick[rows] += 1
    full = state.in_trick[rows] == state.playing[rows]
    state.to_act[rows] = np.where(full, state.taker[rows], _next_in(state, rows, seats))
    if full.any():
        _complete_tricks(state, rows[full], house)


def _next_in(state: State, rows: Ints, seats: Ints) -> Ints:
    """Returns the next seat that plays, after each of these."""
    count = state.plays.shape[1]
    turn = (np.arange(1, count + 1) + seats[:, None]) % count
    step = (np.take_along_axis(state.plays[rows], turn, axis=1) == 1).argmax(axis=1)
    return np.take_along_axis(turn, step[:, None], axis=1)[:, 0]


def _complete_tricks(state: State, rows: Ints, house: HouseRules) -> None:
    taker = state.taker[rows]
    state.won[rows, taker] += 1
    state.seen[rows] |= state.laid[rows]
    state.laid[rows] = NONE
    state.in_trick[rows] = 0
    state.leader[rows] = taker
    state.tricks[rows] += 1
    state.asked[rows[state.tricks[rows] == house.cards]] = Asked.NOTHING


def _note_voids(state: State, rows: Ints, cards: Ints, house: HouseRules) -> None:
    """Notes the cards that a seat cannot hold beside the one it plays, as R5.2 to R5.4 show."""
    follows = state.in_trick[rows] > 0
    rows, cards = rows[follows], cards[follows]
    led, best = state.led[rows], state.best[rows]
    all_trumps = SUIT_SETS[state.trump[rows]]
    beating = BEATING_SETS[state.trump[rows], best]
    in_suit = cards & 3 == led & 3
    beats = has(beating, cards)
    is_trump = cards & 3 == state.trump[rows]
    void = np.where(in_suit, NONE, SUIT_SETS[led & 3])
    if house.must_beat:
        void |= np.where(in_suit & ~beats, SUIT_SETS[led & 3] & beating, NONE)
    if house.must_trump != "never":
        not_ruffed = ~in_suit & ~is_trump
        void |= np.where(not_ruffed, all_trumps if house.must_trump == "always" else all_trumps & beating, NONE)
        if house.must_beat and house.must_overtrump:
            void |= np.where(~in_suit & is_trump & ~beats, all_trumps & beating, NONE)
    state.barred_cards[rows, state.to_act[rows]] |= void
