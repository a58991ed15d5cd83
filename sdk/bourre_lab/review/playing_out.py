"""Plays deals to their ends with the champion at every seat, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bourre_lab.lockstep import Asked, LockstepDeals
from bourre_lab.lockstep.deals import limited_pots
from bourre_lab.lockstep.entry import Entry
from bourre_lab.lockstep.tricks import begin_play
from bourre_lab.review.champion_actions import champion_actions
from bourre_lab.review.imagined_states import Imagined, Question, imagine

Chips: TypeAlias = NDArray[np.float64]


def chips_of_choices(questions: Sequence[Question], samples: int) -> list[Chips]:
    """Returns what each choice brings in each sample, in chips: an array of shape (choices, samples) by question.

    It is what the seat takes less what it pays to the deal's end, with an equal share of what is left in the pot. The
    questions must be of one house and number of seats.
    """
    imagined = imagine(questions, samples)
    view = questions[0].view
    deals = LockstepDeals(view.house, view.seats)
    deals.state = imagined.state
    _ask(deals)
    _play(deals, imagined)
    chips = _chips(deals, imagined)
    ends = np.cumsum([len(one.choices) * samples for one in questions])
    return [part.reshape(-1, samples) for part in np.split(chips, ends[:-1])]


def _ask(deals: LockstepDeals) -> None:
    """Moves deals that have not come to the play to their next open decision."""
    rows = np.flatnonzero(deals.asked < Asked.PLAY)
    if rows.size:
        ready = Entry(deals.house, deals.seats).advance(deals.state, rows)
        begin_play(deals.state, ready, deals.house)


def _play(deals: LockstepDeals, imagined: Imagined) -> None:
    pending = np.ones(len(imagined.seats), dtype=np.bool_)
    while not deals.all_over:
        now = pending & (deals.to_act == imagined.seats) & ~deals.over
        actions = np.where(now, imagined.actions, 0)
        for asked in (deals.asked < Asked.PLAY, deals.asked == Asked.PLAY):
            rows = np.flatnonzero(asked & ~now)
            if rows.size:
                actions[rows] = champion_actions(deals, rows, imagined.exempt[rows])
        pending &= ~now
        deals.step(actions)


def _chips(deals: LockstepDeals, imagined: Imagined) -> Chips:
    settled, at, seats = deals.settle(), np.arange(len(imagined.seats)), imagined.seats
    own = settled.chips[at, seats] - deals.state.paid[at, seats] + settled.next_pot / deals.seats
    stake = limited_pots(deals.state.pot, deals.house)
    chips: Chips = own + settled.exempt[at, seats] * imagined.exempt * stake
    return chips
