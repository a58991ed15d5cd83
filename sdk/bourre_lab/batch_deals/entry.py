"""The decisions before the play, for many deals (R3.2, R4). `bourre.rules.before_play` does the same for one deal."""

from __future__ import annotations

import numpy as np

from bourre.rules.cards import Suit
from bourre.rules.house import HouseRules
from bourre_lab.batch_deals.action_numbers import COME_IN, NAME_TRUMP, SUBSETS, TAKE, Asked
from bourre_lab.batch_deals.card_sets import NONE, Flags, Ints, Sets, count, sets_of, sorted_cards
from bourre_lab.batch_deals.state import State

_REVEAL = -1
"""The place in a script that reveals simultaneous declarations."""
_HAND = 5


def script_of(house: HouseRules, seats: int) -> tuple[tuple[Asked, int], ...]:
    """Returns every possible decision before the play with its seat, in order. The deals may skip some."""
    dealer, everyone = seats - 1, range(seats)
    script = [(Asked.NAME_TRUMP, dealer)] if house.dealer_names_trump else []
    if house.declares_in_turn:
        script += [(Asked.ENTER, seat) for seat in everyone]
    else:
        script += [(Asked.DECLARE, seat) for seat in everyone]
        script += [(Asked.NOTHING, _REVEAL)] if house.declares_at_once else []
        script += [(Asked.DRAW, seat) for seat in everyone]
    script += [(Asked.STAY, seat) for seat in everyone] if house.cost_to_stay is not None else []
    return tuple(script)


class BatchEntry:
    """Asks and answers the decisions before the play, by the script for one table's house rules and number of seats."""

    def __init__(self, house: HouseRules, seats: int) -> None:
        self.house = house
        self.seats = seats
        self._script = script_of(house, seats)
        self._needed: Sets = np.array([house.needed_to_enter(trump) for trump in Suit], dtype=np.uint64)
        """The cards of which a seat must hold one to come in, by trump suit (R4.6)."""
        self._simultaneous = house.declares_at_once

    def begin(self, state: State) -> None:
        """Lets the dealers in who must play (R4.5)."""
        rows = np.flatnonzero(state.obliged)
        self._come_in(state, rows, np.full(len(rows), self.seats - 1))

    def advance(self, state: State, rows: Ints) -> Ints:
        """Moves these deals to their next open decision; returns the deals without another one before the play."""
        for slot in range(int(state.slot[rows].min(initial=len(self._script))), len(self._script)):
            at = rows[state.slot[rows] == slot]
            if not at.size:
                continue
            kind, seat = self._script[slot]
            asked = self._resolve(state, at, kind, seat)
            state.slot[at[~asked]] += 1
            now = at[asked]
            state.to_act[now] = seat
            state.asked[now] = kind
            if kind == Asked.ENTER and seat == self.seats - 1:
                state.asked[now[state.obliged[now]]] = Asked.DRAW
        ready: Ints = rows[state.slot[rows] == len(self._script)]
        return ready

    def apply(self, state: State, rows: Ints, actions: Ints) -> None:
        """Applies one decision before the play in each of these deals."""
        seats, asked = state.to_act[rows], state.asked[rows]
        named = asked == Asked.NAME_TRUMP
        state.trump[rows[named]] = actions[named] - NAME_TRUMP
        stays = asked == Asked.STAY
        self._stay(state, rows[stays], seats[stays], actions[stays])
        declares = (asked == Asked.ENTER) | (asked == Asked.DECLARE)
        comes = declares & (actions >= COME_IN)
        if self._simultaneous:
            state.hidden[rows[declares], seats[declares]] = comes[declares]
        else:
            passes = declares & ~comes
            self._pass(state, rows[passes], seats[passes])
            self._come_in(state, rows[comes], seats[comes])
        draws = (asked == Asked.DRAW) | ((asked == Asked.ENTER) & comes)
        self._draw(state, rows[draws], seats[draws], actions[draws] - COME_IN)
        state.slot[rows] += 1

    def _resolve(self, state: State, rows: Ints, kind: Asked, seat: int) -> Flags:
        """Applies the decisions that the rules make; returns the deals that ask the seat."""
        everywhere = np.ones(len(rows), dtype=np.bool_)
        if kind == Asked.NAME_TRUMP:
            return everywhere
        if kind == Asked.NOTHING:
            self._reveal(state, rows)
            return ~everywhere
        if kind in (Asked.STAY, Asked.DRAW):
            inside = state.plays[rows] == 1
            open_to_it: Flags = inside[:, seat] & (inside.sum(axis=1) > 1)
            return open_to_it
        return self._resolve_declaration(state, rows, kind, seat)

    def _resolve_declaration(self, state: State, rows: Ints, kind: Asked, seat: int) -> Flags:
        asked = np.ones(len(rows), dtype=np.bool_)
        if self._needed.any():
            asked = (state.hands[rows, seat] & self._needed[state.trump[rows]]) != NONE
            if not self._simultaneous:
                barred = rows[~asked]
                self._pass(state, barred, np.full(len(barred), seat))
        if seat != self.seats - 1:
            return asked
        if not self._simultaneous:
            alone = ~(state.plays[rows, :-1] == 1).any(axis=1)
            due = rows[alone & asked & (state.plays[rows, seat] != 1)]
            self._come_in(state, due, np.full(len(due), seat))
            asked &= ~alone
        if kind == Asked.DECLARE:
            asked &= ~state.obliged[rows]
        return asked

    def _reveal(self, state: State, rows: Ints) -> None:
        for seat in range(self.seats):
            open_rows = rows[state.plays[rows, seat] == -1]
            comes = state.hidden[open_rows, seat]
            for at, settle in ((open_rows[comes], self._come_in), (open_rows[~comes], self._pass)):
                settle(state, at, np.full(len(at), seat))

    def _come_in(self, state: State, rows: Ints, seats: Ints) -> None:
        state.plays[rows, seats] = 1
        self._pay_second_ante(state, rows, seats)

    def _pay_second_ante(self, state: State, rows: Ints, seats: Ints) -> None:
        state.pot[rows] += self.house.cost_to_enter
        state.paid[rows, seats] += self.house.cost_to_enter

    def _pass(self, state: State, rows: Ints, seats: Ints) -> None:
        state.plays[rows, seats] = 0
        state.stocks.passed[rows] |= state.hands[rows, seats]

    def _stay(self, state: State, rows: Ints, seats: Ints, actions: Ints) -> None:
        stays = actions >= COME_IN
        self._pay_second_ante(state, rows[stays], seats[stays])
        state.plays[rows[~stays], seats[~stays]] = 0

    def _draw(self, state: State, rows: Ints, seats: Ints, subsets: Ints) -> None:
        """Exchanges discards by subsets of the sorted hands. 32 is added if the dealer takes the turned card."""
        if not rows.size:
            return
        hands = state.hands[rows, seats]
        takes = subsets >= TAKE - COME_IN
        thrown = subset_cards(sorted_cards(hands, _HAND), subsets % SUBSETS)
        number = count(thrown)
        served = state.stocks.serve(rows, number - takes)
        served |= np.where(takes, state.dead[rows], NONE)
        state.dead[rows[takes]] = NONE
        state.stocks.discards[rows] |= thrown
        state.hands[rows, seats] = (hands & ~thrown) | served
        state.discarded[rows, seats] = thrown
        state.drawn[rows, seats] = number


def subset_cards(cards: Ints, subsets: Ints) -> Sets:
    """Returns the set of cards that each subset picks from a row of sorted cards."""
    picked = (subsets[:, None] >> np.arange(cards.shape[1])) & 1 == 1
    sets: Sets = np.bitwise_or.reduce(np.where(picked, sets_of(np.minimum(cards, 63)), NONE), axis=1)
    return sets
