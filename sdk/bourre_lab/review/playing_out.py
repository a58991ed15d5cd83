"""Samples the hidden cards of questions, and plays each choice to its end with the champion at every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bourre.rules.actions import Choice
from bourre.rules.cards import card_set
from bourre.rules.house import ORDERS
from bourre.rules.view import View
from bourre.sampling import SampledDeal
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import CARD_COUNT, Ints
from bourre_lab.batch_deals.choice_actions import action_of
from bourre_lab.batch_deals.deals import limited_pots
from bourre_lab.batch_deals.entry import BatchEntry, script_of
from bourre_lab.batch_deals.state import State
from bourre_lab.batch_deals.stocks import Stocks
from bourre_lab.batch_deals.tricks import begin_play
from bourre_lab.champion.batch_actions import champion_actions
from bourre_lab.champion.judge import exemption
from bourre_lab.champion.view_state import state_of
from bourre_lab.champion.weights import Floats
from bourre_lab.review.entered_deals import likely_deals


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """A seat's view, the choices to compare, and the seed of the samples."""

    view: View
    choices: tuple[Choice, ...]
    seed: str


@dataclass(slots=True)
class SampledStates:
    """Deals to play out, by question, by choice and by sample. The samples are the same for every choice."""

    state: State
    seats: Ints
    """The seat of the question, counted from the dealer's left."""
    actions: Ints
    """Its choice."""
    exempt: Floats
    """The value of an exemption from the next ante, as a share of the cost of going bourré."""


def sample_states(questions: Sequence[ReviewQuestion], samples: int) -> SampledStates:
    """Returns the deals of questions with the same house rules and number of seats, with `samples` for each choice.

    Raises ImpossibleView for a view that cannot be from a match.
    """
    sampled = [deal for one in questions for deal in likely_deals(one.view, samples, one.seed)]
    counts = np.array([len(one.choices) * samples for one in questions])
    question = np.repeat(np.arange(len(questions)), counts)
    place = np.arange(len(question)) - np.repeat(counts.cumsum() - counts, counts)
    sample = question * samples + place % samples
    actions = [action_of(choice, one.view.hand) for one in questions for choice in one.choices]
    bases = [_base(one.view) for one in questions]
    state = State(
        **{
            name: np.concatenate([getattr(base, name) for base in bases])[question]
            for name in (field.name for field in fields(State))
            if name not in ("hands", "stocks")
        },
        hands=np.array([_hands(deal) for deal in sampled], dtype=np.uint64)[sample],
        stocks=_stocks(sampled, sample, questions[0]),
    )
    return SampledStates(
        state=state,
        seats=np.array([_place(one.view) for one in questions])[question],
        actions=np.repeat(actions, samples),
        exempt=np.array([exemption(one.view) for one in questions], dtype=np.float32)[question],
    )


def _place(view: View) -> int:
    return ORDERS[view.seats][view.dealer].index(view.seat)


def _base(view: View) -> State:
    """Returns the state of one deal, at the place of the script that asks its seat.

    For simultaneous declarations, it is the place of the first one, because no seat knows the other declarations.
    """
    state, house = state_of(view), view.house
    state.obliged[:] = house.obliges_dealer(view.turned)
    if state.asked[0] == Asked.PLAY:
        return state
    script = script_of(house, view.seats)
    asked = Asked.ENTER if house.declares_in_turn and state.asked[0] == Asked.DRAW else Asked(int(state.asked[0]))
    seat = 0 if house.declares_at_once and asked == Asked.DECLARE else _place(view)
    state.slot[:] = script.index((asked, seat))
    return state


def _hands(deal: SampledDeal) -> list[int]:
    return [card_set(deal.hands[seat]) for seat in ORDERS[deal.view.seats][deal.view.dealer]]


def _stocks(sampled: Sequence[SampledDeal], sample: Ints, first: ReviewQuestion) -> Stocks:
    """Returns stocks that deal the rest of each sample from the front."""
    cards = np.array([[*[0] * (CARD_COUNT - len(deal.rest)), *deal.rest] for deal in sampled], dtype=np.int64)
    tops = np.array([CARD_COUNT - len(deal.rest) for deal in sampled])
    orders = random_decks(len(sampled), np.random.default_rng(list(first.seed.encode())))
    return Stocks(cards[sample], tops[sample], first.view.house, lambda rows, times: orders[sample[rows]])


Chips: TypeAlias = NDArray[np.float64]


def chips_of_choices(questions: Sequence[ReviewQuestion], samples: int) -> list[Chips]:
    """Returns the chips of each choice in each sample: an array of shape (choices, samples) by question.

    They are the seat's chips from the pot, minus its payments to the deal's end, plus an equal share of the pot that is
    left. The questions must have the same house rules and number of seats.
    """
    states = sample_states(questions, samples)
    view = questions[0].view
    deals = LockstepDeals(view.house, view.seats)
    deals.state = states.state
    _ask(deals)
    _play(deals, states)
    chips = _chips(deals, states)
    ends = np.cumsum([len(one.choices) * samples for one in questions])
    return [part.reshape(-1, samples) for part in np.split(chips, ends[:-1])]


def _ask(deals: LockstepDeals) -> None:
    """Moves deals before the play to their next open decision."""
    rows = np.flatnonzero(deals.asked < Asked.PLAY)
    if rows.size:
        ready = BatchEntry(deals.house, deals.seats).advance(deals.state, rows)
        begin_play(deals.state, ready, deals.house)


def _play(deals: LockstepDeals, states: SampledStates) -> None:
    pending = np.ones(len(states.seats), dtype=np.bool_)
    while not deals.all_over:
        now = pending & (deals.to_act == states.seats) & ~deals.over
        actions = np.where(now, states.actions, 0)
        for asked in (deals.asked < Asked.PLAY, deals.asked == Asked.PLAY):
            rows = np.flatnonzero(asked & ~now)
            if rows.size:
                actions[rows] = champion_actions(deals, rows, states.exempt[rows])
        pending &= ~now
        deals.step(actions)


def _chips(deals: LockstepDeals, states: SampledStates) -> Chips:
    settled, at, seats = deals.settle(), np.arange(len(states.seats)), states.seats
    own = settled.chips[at, seats] - deals.state.paid[at, seats] + settled.next_pot / deals.seats
    stake = limited_pots(deals.state.pot, deals.house)
    chips: Chips = own + settled.exempt[at, seats] * states.exempt * stake
    return chips
