"""`examples/monte_carlo.py` played in step: samples the hidden cards, plays each sample out, and takes the best."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

import numpy as np

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import CARD_ACTIONS, Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import (
    ACES,
    CARD_COUNT,
    FIRST_CARD,
    HIGHER_SETS,
    KINGS,
    NONE,
    SUIT_SETS,
    Ints,
    Sets,
    count,
    has,
    highest,
    lowest,
    sets_of,
    sorted_cards,
)
from bourre_lab.batch_deals.deals import settle_deals
from bourre_lab.batch_deals.state import State
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.batch_deals.tricks import begin_play, lay_cards, legal_cards, positions
from bourre_lab.champion.network_inputs import unseen_cards
from research.champion.entry_answers import HAND, answers

SAMPLES: Final = 24
KEPT: Final = 0.95


class MonteCarlo(BatchPlayer):
    """Judges as `monte_carlo` does; its samples ignore what R6 shows of the hidden hands."""

    def __init__(self, samples: int = SAMPLES) -> None:
        self.samples = samples

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        if deals.asked[rows[0]] == Asked.PLAY:
            return self.cards(deals, rows, rng) + CARD_ACTIONS
        hands = deals.state.hands[rows, deals.to_act[rows]]
        comes = self.entry_sums(deals, rows, rng) > 0
        return answers(deals, rows, comes, weak_cards(hands, deals.state.trump[rows]))

    def entry_sums(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        """Returns the chips that coming in brings, summed over the samples; 0 where only discards are asked for."""
        open_rows = rows[deals.asked[rows] != Asked.DRAW]
        at = np.repeat(open_rows, self.samples)
        state = sample_entry(deals, at, rng)
        chips = play_out(state, deals.house)
        own = chips[np.arange(len(at)), deals.to_act[at]].reshape(-1, self.samples).sum(axis=1)
        sums = np.zeros(len(rows), dtype=np.int64)
        sums[deals.asked[rows] != Asked.DRAW] = own
        return sums

    def cards(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        """Returns the card that each seat to act plays: the best by the sum over the samples, of equals the lowest."""
        choices = sorted_cards(deals.legal_cards(rows), HAND)
        best = choices[:, 0].copy()
        several = np.flatnonzero(choices[:, 1] < 64)
        if several.size:
            sums = self.card_sums(deals, rows[several], choices[several], rng)
            best[several] = np.take_along_axis(choices[several], sums.argmax(axis=1)[:, None], axis=1)[:, 0]
        return best

    def card_sums(self, deals: LockstepDeals, rows: Ints, choices: Ints, rng: np.random.Generator) -> Ints:
        """Returns the chips that each card brings, summed over the samples; 64 in `choices` is no card."""
        seats = deals.to_act[rows]
        sampled = sample_play(deals, np.repeat(rows, self.samples), rng)
        sums = np.full(choices.shape, -(10**15))
        for column in range(choices.shape[1]):
            at = np.flatnonzero(choices[:, column] < 64)
            if not at.size:
                break
            places = (at[:, None] * self.samples + np.arange(self.samples)).ravel()
            state = take(sampled, places)
            lay_cards(state, np.arange(len(places)), np.repeat(choices[at, column], self.samples), deals.house)
            chips = play_out(state, deals.house)
            own = chips[np.arange(len(places)), np.repeat(seats[at], self.samples)]
            sums[at, column] = own.reshape(-1, self.samples).sum(axis=1)
        return sums


def weak_cards(hands: Sets, trump: Ints) -> Sets:
    """Returns the cards that `monte_carlo` discards: all but trumps and aces."""
    return hands & ~SUIT_SETS[trump] & ~ACES


def take(state: State, rows: Ints) -> State:
    """Returns copies of some deals; they share the stocks, which the play does not touch."""
    values = {field.name: getattr(state, field.name) for field in fields(State)}
    return State(**{name: value if name == "stocks" else value[rows] for name, value in values.items()})


def sample_entry(deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> State:
    """Returns deals ready for play: hidden hands sampled, and the seats to come in or out as `monte_carlo` guesses."""
    source, seats = deals.state, deals.seats
    state, at, me = take(source, rows), np.arange(len(rows)), deals.to_act[rows]
    unseen = unseen_cards(source, rows) & ~sets_of(source.turned[rows])
    order, given = _shuffled(unseen, rng), np.zeros(len(rows), dtype=np.int64)
    trump = source.trump[rows]
    for seat in range(seats):
        other = (me != seat) & (source.plays[rows, seat] != 0)
        wanted = np.where(other, deals.house.cards, 0)
        if seat == seats - 1:
            holds = other & (source.turned[rows] > 0) & (deals.house.trump_card == "dealer_fifth")
            wanted = wanted - holds
        cards = _next_cards(order, given, wanted)
        if seat == seats - 1:
            cards |= np.where(holds, sets_of(source.turned[rows]), NONE)
        state.hands[:, seat] = np.where(other, cards, state.hands[:, seat])
        given += wanted
    for step in range(seats):
        turn = (me + step) % seats
        hand = state.hands[at, turn]
        trumps = hand & SUIT_SETS[trump]
        to_come = (source.plays[rows, turn] == -1) & (step > 0)
        comes = (step == 0) | (to_come & ((count(trumps) >= 3) | (trumps & KINGS != NONE)))
        thrown = np.where(comes, weak_cards(hand, trump), NONE)
        number = count(thrown)
        state.hands[at, turn] = (hand & ~thrown) | _next_cards(order, given, number)
        given += number
        state.plays[at, turn] = np.where(comes, 1, np.where(to_come, 0, state.plays[at, turn]))
    begin_play(state, at, deals.house)
    return state


def sample_play(deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> State:
    """Returns copies of deals in play with the hidden hands sampled, as the plays so far allow (R5)."""
    source, seats = deals.state, deals.seats
    state, me = take(source, rows), deals.to_act[rows]
    turned = sets_of(source.turned[rows])
    pool = unseen_cards(source, rows)
    at_large = (pool & turned != NONE) & (source.turned[rows] > 0)
    drawn = source.drawn[rows, seats - 1]
    dealer = (source.plays[rows, seats - 1] == 1) & (me != seats - 1) & at_large
    keeps = dealer & ((drawn == 0) | ((drawn < deals.house.cards) & (rng.random(len(rows)) < KEPT)))
    keeps &= (source.barred_cards[rows, seats - 1] & turned == NONE) & (count(source.hands[rows, seats - 1]) > 0)
    pool &= ~np.where(at_large, turned, NONE)
    barred = count(source.barred_cards[rows] & pool[:, None])
    for place in range(seats):
        seat = np.argsort(-barred, axis=1, kind="stable")[:, place]
        at = np.arange(len(rows))
        other = (seat != me) & (source.plays[rows, seat] == 1)
        holds = keeps & (seat == seats - 1)
        wanted = np.where(other, count(source.hands[rows, seat]) - holds, 0)
        # New keys for each seat: the old ones of cards that only an earlier seat was barred from are low.
        keys = rng.random((len(rows), CARD_COUNT), dtype=np.float32)
        cards = _draw(pool, pool & ~source.barred_cards[rows, seat], wanted, keys)
        pool &= ~cards
        hand = cards | np.where(holds, turned, NONE)
        state.hands[at, seat] = np.where(other, hand, state.hands[at, seat])
    return state


def play_out(state: State, house: HouseRules) -> Ints:
    """Plays deals to their ends by the policy `thrifty`, and returns the chips of `SampledDeal.play_out`."""
    while True:
        rows = np.flatnonzero(state.asked == Asked.PLAY)
        if not rows.size:
            return settle_deals(state.pot, state.plays == 1, state.won, house).chips
        at = positions(state, rows)
        legal = legal_cards(at, house)
        trumps = SUIT_SETS[at.trump]
        winning = HIGHER_SETS[at.best] | np.where(has(trumps, at.best), NONE, trumps)
        cheap = lowest(np.where(legal & winning != NONE, legal & winning, legal))
        lay_cards(state, rows, np.where(at.leads, highest(legal), cheap), house)


def _shuffled(pool: Sets, rng: np.random.Generator) -> Ints:
    """Returns the cards of each pool in random order, before all others, of shape (pools, 52)."""
    keys = rng.random((len(pool), CARD_COUNT), dtype=np.float32)
    keys += ~has(pool[:, None], np.arange(FIRST_CARD, FIRST_CARD + CARD_COUNT))
    return keys.argsort(axis=1) + FIRST_CARD


def _next_cards(order: Ints, given: Ints, number: Ints) -> Sets:
    places = np.minimum(given[:, None] + np.arange(HAND), CARD_COUNT - 1)
    cards = sets_of(np.take_along_axis(order, places, axis=1))
    wanted = np.arange(HAND) < number[:, None]
    sets: Sets = np.bitwise_or.reduce(np.where(wanted, cards, NONE), axis=1)
    return sets


def _draw(pool: Sets, possible: Sets, wanted: Ints, keys: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> Sets:
    """Draws that many cards of each pool, possible ones before others."""
    numbers = np.arange(FIRST_CARD, FIRST_CARD + CARD_COUNT)
    ranked = keys + ~has(pool[:, None], numbers) * np.float32(2) + ~has(possible[:, None], numbers)
    order = np.argpartition(ranked, HAND, axis=1)[:, :HAND]
    order = np.take_along_axis(order, np.take_along_axis(ranked, order, axis=1).argsort(axis=1), axis=1)
    cards = sets_of(order + FIRST_CARD)
    sets: Sets = np.bitwise_or.reduce(np.where(np.arange(HAND) < wanted[:, None], cards, NONE), axis=1)
    return sets
