"""The state of many deals: arrays with one row per deal, and one column per seat from the dealer's left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre.rules.house import ACE, HouseRules
from bourre_lab.batch_deals.action_numbers import Asked
from bourre_lab.batch_deals.card_sets import Flags, Ints, Sets, has, sets_of
from bourre_lab.batch_deals.stocks import Shuffles, Stocks, joined_stocks

Small = NDArray[np.int8]
MOST_CARDS: Final = 5
"""The most cards that a seat plays in a deal."""


@dataclass(slots=True)
class State:
    """The deals in progress. Seats count from the dealer's left, so the dealer is the last."""

    asked: Small
    """An `Asked` for each deal."""
    to_act: Ints
    slot: Ints
    """The place of each deal in the script."""
    pot: Ints
    paid: Ints
    """The second antes that each seat has paid (R2.4), of shape (deals, seats)."""
    hands: Sets
    plays: Small
    """1 for a seat that is in, 0 for a passed one, -1 before the declaration; of shape (deals, seats)."""
    hidden: Flags
    """The simultaneous declarations before they are revealed (R4.1)."""
    drawn: Small
    """The number of cards that each seat drew; -1 if it has not drawn."""
    discarded: Sets
    trump: Ints
    """The trump suit; -1 until it is named."""
    turned: Ints
    """The turned card; 0 if none."""
    dead: Sets
    """A turned card that belongs to no seat, or not yet to the dealer (R3.2)."""
    obliged: Flags
    """Whether the dealer must play because of a turned ace (R4.5)."""
    leader: Ints
    led: Ints
    best: Ints
    taker: Ints
    laid: Sets
    """The cards of the trick in progress."""
    in_trick: Ints
    """The number of cards in the trick."""
    playing: Ints
    """The number of playing seats."""
    seen: Sets
    """The cards of completed tricks."""
    played: Sets
    """The cards that each seat has played, of shape (deals, seats)."""
    barred_cards: Sets
    """The cards that each seat cannot hold, by its plays and R5, of shape (deals, seats)."""
    won: Ints
    tricks: Ints
    """The number of complete tricks."""
    sequence: Small
    """The cards in the order of play, then zeros, of shape (deals, 5 * seats)."""
    stocks: Stocks

    def put(self, rows: Ints, other: State) -> None:
        """Replaces these deals by those of `other`, in order."""
        for field in fields(self):
            if field.name != "stocks":
                getattr(self, field.name)[rows] = getattr(other, field.name)
        self.stocks.put(rows, other.stocks)

    def at(self, rows: Ints) -> State:
        """Returns copies of some deals; the same deal may be copied several times."""
        copied = {field.name: getattr(self, field.name)[rows] for field in fields(self) if field.name != "stocks"}
        return State(**copied, stocks=self.stocks.at(rows))


def joined(states: Sequence[State]) -> State:
    """Returns one state with the deals of these, in order, all of which were copied from one state by `at`."""
    names = [field.name for field in fields(State) if field.name != "stocks"]
    columns = {name: np.concatenate([getattr(state, name) for state in states]) for name in names}
    return State(**columns, stocks=joined_stocks([state.stocks for state in states]))


def new_state(decks: Ints, pots: Ints, seats: int, house: HouseRules, shuffles: Shuffles) -> State:
    """Deals the hands and turns a card up (R3)."""
    deals, size = len(decks), seats * house.cards
    hands = np.stack(
        [np.bitwise_or.reduce(sets_of(decks[:, seat:size:seats]), axis=1) for seat in range(seats)], axis=1
    )
    fifth = decks[:, size - 1]
    apart = house.keeps_turned_apart
    if house.dealer_names_trump:
        turned = np.zeros(deals, dtype=np.int64)
    else:
        turned = fifth if house.dealer_holds_turned else decks[:, size]
    nothing = np.zeros(deals, dtype=np.int64)
    no_cards = np.zeros(deals, dtype=np.uint64)
    by_seat = (deals, seats)
    cards = _stock_cards(decks, size, shuffles) if house.returns_turned else decks
    return State(
        asked=np.full(deals, Asked.NOTHING, dtype=np.int8),
        to_act=nothing.copy(),
        slot=nothing.copy(),
        pot=pots.copy(),
        paid=np.zeros(by_seat, dtype=np.int64),
        hands=hands,
        plays=np.full(by_seat, -1, dtype=np.int8),
        hidden=np.zeros(by_seat, dtype=np.bool_),
        drawn=np.full(by_seat, -1, dtype=np.int8),
        discarded=np.zeros(by_seat, dtype=np.uint64),
        trump=turned & 3 if not house.dealer_names_trump else np.full(deals, -1),
        turned=turned,
        dead=sets_of(turned) if apart else no_cards.copy(),
        obliged=(fifth >> 2 == ACE) & house.dealer_holds_turned,
        leader=nothing.copy(),
        led=nothing.copy(),
        best=nothing.copy(),
        taker=nothing.copy(),
        laid=no_cards.copy(),
        in_trick=nothing.copy(),
        playing=nothing.copy(),
        seen=no_cards.copy(),
        played=np.zeros(by_seat, dtype=np.uint64),
        barred_cards=np.zeros(by_seat, dtype=np.uint64),
        won=np.zeros(by_seat, dtype=np.int64),
        tricks=nothing.copy(),
        sequence=np.zeros((deals, seats * MOST_CARDS), dtype=np.int8),
        stocks=Stocks(cards, size + apart, house, shuffles),
    )


def _stock_cards(decks: Ints, size: int, shuffles: Shuffles) -> Ints:
    """Returns the decks with the stocks in the order of drawing, after shuffling the returned card back (R3.2)."""
    rows = np.arange(len(decks))
    order = shuffles(rows, np.zeros_like(rows))
    undealt = np.bitwise_or.reduce(sets_of(decks[:, size:]), axis=1)
    inside = has(undealt[:, None], order)
    stock = np.take_along_axis(order, np.argsort(~inside, axis=1, kind="stable"), axis=1)
    return np.concatenate([decks[:, :size], stock[:, : decks.shape[1] - size]], axis=1)
