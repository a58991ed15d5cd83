"""Turns the view of one seat into the state of one deal as in `batch_deals`, in which hidden cards are empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import chain

import numpy as np

from bourre.rules.actions import Decision
from bourre.rules.cards import card_set
from bourre.rules.house import ORDERS
from bourre.rules.tricks import beats
from bourre.rules.view import View
from bourre_lab.batch_deals.action_numbers import Asked
from bourre_lab.batch_deals.card_sets import Ints, Sets
from bourre_lab.batch_deals.state import MOST_CARDS, Small, State
from bourre_lab.batch_deals.stocks import Stocks
from bourre_lab.batch_deals.tricks import ruled_out_cards


def asked_of(view: View) -> Asked:
    """Returns the decision of this view. A seat that declares and draws at once is asked to enter (R4.1)."""
    in_turn = view.house.declares_in_turn and view.plays[view.seat] is None
    if in_turn and view.decision in (Decision.DECLARE, Decision.DRAW):
        return Asked.ENTER
    return Asked[view.decision.name]


class _Tricks:
    """The public play of a deal, by seat from the dealer's left."""

    def __init__(self, view: View, places: dict[int, int]) -> None:
        seats = view.seats
        self.played = [0] * seats
        self.won = [0] * seats
        self.seen = self.laid = 0
        self.led = self.best = self.taker = 0
        self._followed: list[tuple[int, int, int, int]] = []
        """The seat, the card, the card led and the best card so far, for each card that followed."""
        order = [places[seat] for seat in view.playing]
        for trick in view.tricks:
            self._replay(order, places[trick.leader], trick.cards, view)
            self.won[self.taker] += 1
            self.seen |= self.laid
            self.laid = 0
        if view.leader is not None:
            self._replay(order, places[view.leader], view.trick, view)

    def barred_cards(self, view: View) -> Sets:
        """Returns the cards that each seat cannot hold, by its plays and R5, of shape (1, seats)."""
        barred: Sets = np.zeros((1, view.seats), dtype=np.uint64)
        if self._followed:
            seats, cards, led, best = np.array(self._followed).T
            np.bitwise_or.at(barred[0], seats, ruled_out_cards(cards, led, best, np.array(int(view.trump)), view.house))
        return barred

    def _replay(self, order: list[int], leader: int, cards: tuple[int, ...], view: View) -> None:
        trump = int(view.trump)
        start = order.index(leader)
        for turn, card in enumerate(map(int, cards)):
            seat = order[(start + turn) % len(order)]
            self.played[seat] |= 1 << card
            self.laid |= 1 << card
            if turn == 0:
                self.led = self.best = card
                self.taker = seat
                continue
            self._followed.append((seat, card, self.led, self.best))
            if beats(card, self.best, trump):
                self.best, self.taker = card, seat


def state_of(view: View) -> State:
    """Returns this seat's knowledge of the deal as a state: one row, seats from the dealer's left."""
    order = ORDERS[view.seats][view.dealer]
    places = {seat: place for place, seat in enumerate(order)}
    me, tricks = places[view.seat], _Tricks(view, places)
    hands, discarded = [0] * view.seats, [0] * view.seats
    hands[me], discarded[me] = card_set(view.hand), card_set(view.discarded)
    plays = [{None: -1, False: 0, True: 1}[view.plays[seat]] for seat in order]
    nothing = np.zeros((1, 52), dtype=np.int64)
    return State(
        asked=np.array([asked_of(view)], dtype=np.int8),
        to_act=_number(me),
        slot=_number(0),
        pot=_number(view.pot),
        paid=np.zeros((1, view.seats), dtype=np.int64),
        hands=_sets(hands),
        plays=np.array([plays], dtype=np.int8),
        hidden=np.zeros((1, view.seats), dtype=np.bool_),
        drawn=np.array([[-1 if view.drawn[seat] is None else view.drawn[seat] for seat in order]], dtype=np.int8),
        discarded=_sets(discarded),
        trump=_number(-1 if view.named is None else int(view.named)),
        turned=_number(0 if view.turned is None else int(view.turned)),
        dead=np.array([0 if view.dead is None else 1 << view.dead], dtype=np.uint64),
        obliged=np.zeros(1, dtype=np.bool_),
        leader=_number(0 if view.leader is None else places[view.leader]),
        led=_number(tricks.led),
        best=_number(tricks.best),
        taker=_number(tricks.taker),
        laid=np.array([tricks.laid], dtype=np.uint64),
        in_trick=_number(len(view.trick)),
        playing=_number(sum(map(bool, view.plays))),
        seen=np.array([tricks.seen], dtype=np.uint64),
        played=_sets(tricks.played),
        barred_cards=tricks.barred_cards(view),
        won=np.array([tricks.won], dtype=np.int64),
        tricks=_number(len(view.tricks)),
        sequence=_sequence(view),
        stocks=Stocks(nothing, 0, view.house, lambda rows, times: nothing),
    )


def stacked(states: Sequence[State]) -> State:
    """Returns one state with these states as rows. All must have the same number of seats."""
    if len(states) == 1:
        return states[0]
    names = [field.name for field in fields(State) if field.name != "stocks"]
    columns = {name: np.concatenate([getattr(state, name) for state in states]) for name in names}
    return State(**columns, stocks=states[0].stocks)


def _sequence(view: View) -> Small:
    cards = [*chain.from_iterable(trick.cards for trick in view.tricks), *view.trick]
    return np.array([cards + [0] * (view.seats * MOST_CARDS - len(cards))], dtype=np.int8)


def _number(value: int) -> Ints:
    return np.array([value], dtype=np.int64)


def _sets(values: list[int]) -> Sets:
    return np.array([values], dtype=np.uint64)
