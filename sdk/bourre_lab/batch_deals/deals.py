"""Plays many deals in step. Each `step` takes one decision in every deal that is not over."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, fields
from functools import partial
from typing import Final

import numpy as np

from bourre.rules.errors import InvalidAction, InvalidHouse
from bourre.rules.house import HouseRules
from bourre_lab.batch_deals.action_numbers import ACTIONS, CARD_ACTIONS, COME_IN, NAME_TRUMP, PASS, SUBSETS, TAKE, Asked
from bourre_lab.batch_deals.card_sets import FIRST_CARD, Flags, Ints, Sets, count, has
from bourre_lab.batch_deals.entry import BatchEntry
from bourre_lab.batch_deals.state import Small, State, joined, new_state
from bourre_lab.batch_deals.stocks import Shuffles, random_decks
from bourre_lab.batch_deals.tricks import begin_play, lay_cards, legal_cards, positions

SUPPORTED: Final = frozenset(
    {
        *("cards", "trump_card", "declare_mode", "must_hold", "second_pass", "second_ante"),
        *("max_discards", "seven_player_limit", "recycle"),
        *("must_beat", "must_overtrump", "must_trump", "lead_honour", "lead_honour_when", "cinch", "cinch_adjacent"),
        *("tie", "pot_limit", "exempt_bourre", "exempt_tied"),
        # The caller pays the antes and chooses the dealer.
        *("first_dealer", "ante", "dealer_antes_all", "ante_when"),
        # They have no effect without reneges and faults.
        *("renege_multiple", "renege_policy", "renege_pot", "fault_fine"),
    }
)
"""The house rules that may differ from their defaults."""
_SUBSET_SIZES: Final = np.array([subset.bit_count() for subset in range(SUBSETS)])


class LockstepDeals:
    """Deals with the same house rules and number of seats. Seats count from the dealer's left; the dealer is the last.

    All actions must be legal: there are no reneges and no faults.
    """

    state: State

    def __init__(self, house: HouseRules, seats: int) -> None:
        """Raises InvalidHouse for an impossible table or unsupported house rules."""
        house.check_seats(seats)
        _check_supported(house)
        self.house = house
        self.seats = seats
        self.max_discards = house.most_discards(seats)
        self._entry = BatchEntry(house, seats)
        self._subset_fits: Flags = self.max_discards >= _SUBSET_SIZES

    def reset(self, decks: Ints, pots: Ints | int, shuffles: Shuffles | None = None) -> None:
        """Deals these decks, card numbers of shape (deals, 52). The pots contain the antes.

        `shuffles` orders the replenished stocks (R4.4) and, as number 0, the stock with the returned card (R3.2).
        Without it, the orders follow from the decks.
        """
        deals = len(decks)
        self._decks = np.array(decks, dtype=np.int64)
        pots = np.broadcast_to(np.asarray(pots, dtype=np.int64), deals)
        shuffles = shuffles or partial(_shuffle_again, self._decks)
        self.state = new_state(self._decks.copy(), pots, self.seats, self.house, shuffles)
        self._entry.begin(self.state)
        self._advance(np.arange(deals))

    def deal_again(self, rows: Ints, decks: Ints, pots: Ints | int) -> None:
        """Deals these decks in place of these deals. All orders follow from the decks, so reset without `shuffles`."""
        fresh = LockstepDeals(self.house, self.seats)
        fresh.reset(decks, pots)
        self._decks[rows] = decks
        self.state.put(rows, fresh.state)

    def at(self, rows: Ints) -> LockstepDeals:
        """Returns copies of some deals, to be played on apart from these."""
        return self._with(self.state.at(rows))

    def beside(self, others: Sequence[LockstepDeals]) -> LockstepDeals:
        """Returns these deals and those of others, in order, all of which must be copies of the same deals."""
        return self._with(joined([self.state, *(other.state for other in others)]))

    def _with(self, state: State) -> LockstepDeals:
        result = copy(self)
        result.state = state
        return result

    @property
    def asked(self) -> Small:
        """The decision of each deal, as an `Asked`."""
        return self.state.asked

    @property
    def to_act(self) -> Ints:
        """The seat to act in each deal."""
        return self.state.to_act

    @property
    def over(self) -> Flags:
        """Flags of the settled deals."""
        over: Flags = self.state.asked == Asked.NOTHING
        return over

    @property
    def all_over(self) -> bool:
        """Whether every deal is settled."""
        return bool(self.over.all())

    def legal_cards(self, rows: Ints) -> Sets:
        """Returns the legal cards of these deals, all of which must ask for a card."""
        return legal_cards(positions(self.state, rows), self.house)

    def may_take_turned(self, rows: Ints) -> Flags:
        """Returns whether the seat to act may take the turned card for a discard, if these deals ask for discards."""
        may_take: Flags = self.house.dealer_may_take_turned & (self.to_act[rows] == self.seats - 1)
        return may_take

    def legal_actions(self) -> Flags:
        """Returns the legal actions as flags of shape (deals, ACTIONS). A deal that is over has none."""
        state = self.state
        legal = np.zeros((len(state.asked), ACTIONS), dtype=np.bool_)
        asked = state.asked
        legal[np.isin(asked, (Asked.ENTER, Asked.DECLARE, Asked.STAY)), PASS] = True
        legal[np.isin(asked, (Asked.DECLARE, Asked.STAY)), COME_IN] = True
        legal[asked == Asked.NAME_TRUMP, NAME_TRUMP : NAME_TRUMP + 4] = True
        draws = np.flatnonzero((asked == Asked.ENTER) | (asked == Asked.DRAW))
        held = np.arange(SUBSETS) < (1 << count(state.hands[draws, state.to_act[draws]]))[:, None]
        legal[draws, COME_IN:TAKE] = self._subset_fits & held
        if self.house.dealer_may_take_turned:
            legal[draws, TAKE:NAME_TRUMP] = legal[draws, COME_IN:TAKE] & self.may_take_turned(draws)[:, None]
            legal[:, TAKE] = False
        plays = np.flatnonzero(asked == Asked.PLAY)
        cards = np.arange(NAME_TRUMP + 4, ACTIONS) - CARD_ACTIONS
        legal[plays, NAME_TRUMP + 4 :] = has(self.legal_cards(plays)[:, None], cards)
        return legal

    def step(self, actions: Ints, rows: Ints | None = None) -> None:
        """Applies one legal action in every deal that is not over, or in those of `rows`, and ignores the others.

        Raises InvalidAction if one does not fit its decision. The caller must check the legality of cards.
        """
        state = self.state
        rows = np.arange(len(state.asked)) if rows is None else rows
        before = rows[state.asked[rows] < Asked.PLAY]
        plays = rows[state.asked[rows] == Asked.PLAY]
        self._check_range(before, actions[before], 0, CARD_ACTIONS + FIRST_CARD - 1)
        self._check_range(plays, actions[plays], CARD_ACTIONS + FIRST_CARD, ACTIONS - 1)
        if before.size:
            self._entry.apply(state, before, actions[before])
            self._advance(before)
        if plays.size:
            lay_cards(state, plays, actions[plays] - CARD_ACTIONS, self.house)

    def settle(self) -> Settlements:
        """Settles all deals, which must be over. Second antes (`state.paid`) do not count again."""
        state = self.state
        return settle_deals(state.pot, state.plays == 1, state.won, self.house)

    def _advance(self, rows: Ints) -> None:
        ready = self._entry.advance(self.state, rows)
        if ready.size:
            begin_play(self.state, ready, self.house)

    def _check_range(self, rows: Ints, actions: Ints, least: int, most: int) -> None:
        wrong = np.flatnonzero((actions < least) | (actions > most))
        if wrong.size:
            row = int(rows[wrong[0]])
            asked = Asked(int(self.state.asked[row])).name
            raise InvalidAction(f"deal {row} asks to {asked.lower()}, which action {int(actions[wrong[0]])} does not")


def _check_supported(house: HouseRules) -> None:
    """Raises InvalidHouse with the key if these rules change an unsupported one."""
    for field in fields(house):
        if field.name not in SUPPORTED and getattr(house, field.name) != field.default:
            raise InvalidHouse(
                f"bourre_lab.batch_deals does not support this value of {field.name!r}.\nhint: use {field.default!r}"
            )


def _shuffle_again(decks: Ints, rows: Ints, times: Ints) -> Ints:
    """Returns orders that follow from the decks of these deals."""
    orders = np.empty((len(rows), decks.shape[1]), dtype=np.int64)
    for at, (row, time) in enumerate(zip(rows.tolist(), times.tolist(), strict=True)):
        seed = [*decks[row].tolist(), time]
        orders[at] = random_decks(1, np.random.default_rng(seed))[0]
    return orders


@dataclass(frozen=True, slots=True)
class Settlements:
    """The chips at the end of deals."""

    chips: Ints
    """The chips that each seat takes, minus its payment to match the pot, of shape (deals, seats)."""
    exempt: Flags
    """The seats that owe no ante for the next deal (R2.2), of shape (deals, seats)."""
    next_pot: Ints
    """Chips in the pot before the next antes."""


def limited_pots(pot: Ints, house: HouseRules) -> Ints:
    """Returns these pots, at most the pot limit (R7.4)."""
    return pot if house.pot_limit is None else np.minimum(pot, house.pot_limit)


def settle_deals(pot: Ints, plays: Flags, won: Ints, house: HouseRules) -> Settlements:
    """Settles deals by the tricks `won` of the playing seats. A lone player has won at least one."""
    limited = limited_pots(pot, house)
    most = won.max(axis=1, keepdims=True)
    top = (won == most) & (most > 0)
    leaders = top.sum(axis=1)
    share = np.where(leaders == 1, limited, 0)
    if house.tie == "divide":
        share = limited // np.maximum(leaders, 1)
    bourred = plays & (won == 0)
    taken, paid = top * share[:, None], bourred * limited[:, None]
    exempt = bourred & (paid > 0) & house.exempt_bourre
    if house.exempt_tied:
        exempt |= top & (leaders > 1)[:, None]
    next_pot = pot - taken.sum(axis=1) + paid.sum(axis=1)
    return Settlements(taken - paid, exempt, next_pot)
