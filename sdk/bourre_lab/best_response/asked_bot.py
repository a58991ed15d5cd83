"""A bot as a player of many deals: it is asked for each decision, with the view of its seat."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np

from bourre.practice.loop_thread import LoopThread
from bourre.practice.seat import PracticeSeat, lawful_answer
from bourre.practice.session import BotMaker, make_bot
from bourre.rules.view import View
from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.action_numbers import CARD_ACTIONS
from bourre_lab.batch_deals.card_sets import Ints, Sets, lowest
from bourre_lab.batch_deals.choice_actions import action_of
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.best_response.seat_views import seat_view

_KNOWN: Final = 200_000
"""The most answers that are kept."""
_AGAIN, _APART = 100, 50
"""The most questions that are asked again, and every how many questions one of them is kept for that."""


class AskedBot(BatchPlayer):
    """A bot in all seats, an instance in each. Its answers follow from what its seat knows, and so does its chance.

    Copies of a deal and a second player that asks the bot get the same answer again, without asking.
    """

    def __init__(self, name: str, maker: BotMaker, seats: int) -> None:
        """Makes the bots; raises PracticeError if that fails."""
        wait = LoopThread()
        self._seats = [PracticeSeat(seat, name, make_bot(maker), wait) for seat in range(seats)]
        self._known: dict[bytes, int] = {}
        self._again: list[tuple[View, int]] = []

    @property
    def listens(self) -> bool:
        """Whether the bot overrides `on_event`. It hears nothing here, because its deals do not follow each other."""
        return self._seats[0].listens

    def changed_answers(self) -> float:
        """Asks some of the questions again, and returns the share of the answers that have changed."""
        changed = [self._action(view) != action for view, action in self._again]
        return sum(changed) / max(1, len(changed))

    def actions(self, deals: LockstepDeals, rows: Ints, rng: np.random.Generator) -> Ints:
        """Returns the bot's actions; raises PracticeError if it fails or its answer is illegal."""
        if len(self._known) > _KNOWN:
            self._known.clear()
        keys = _knowledge(deals, rows)
        if deals.asked[rows[0]] != Asked.PLAY:
            nothing: Sets = np.zeros(len(rows), dtype=np.uint64)
            return self._ask(deals, rows, nothing, keys)
        legal = deals.legal_cards(rows)
        actions = lowest(legal) + CARD_ACTIONS
        free = np.flatnonzero(legal & (legal - np.uint64(1)))
        actions[free] = self._ask(deals, rows[free], legal[free], [keys[place] for place in free.tolist()])
        return actions

    def _ask(self, deals: LockstepDeals, rows: Ints, legal: Sets, keys: list[bytes]) -> Ints:
        actions = np.empty(len(rows), dtype=np.int64)
        for place, (row, cards, key) in enumerate(zip(rows.tolist(), legal.tolist(), keys, strict=True)):
            action = self._known.get(key)
            if action is None:
                self._known[key] = action = self._answer(deals, row, cards, key)
            actions[place] = action
        return actions

    def _answer(self, deals: LockstepDeals, row: int, legal: int, key: bytes) -> int:
        view = seat_view(deals, row, legal, int.from_bytes(blake2b(key, digest_size=6).digest()))
        action = self._action(view)
        if len(self._known) % _APART == 0 and len(self._again) < _AGAIN:
            self._again.append((view, action))
        return action

    def _action(self, view: View) -> int:
        return action_of(lawful_answer(self._seats[view.seat], view), view.hand)


def _knowledge(deals: LockstepDeals, rows: Ints) -> list[bytes]:
    """Returns what each seat to act knows, as bytes that differ where the views do."""
    state, seats = deals.state, deals.to_act[rows]
    small = np.stack([state.asked[rows], seats, state.turned[rows], state.trump[rows]], axis=1).astype(np.int8)
    sets = np.stack([state.hands[rows, seats], state.discarded[rows, seats], state.dead[rows]], axis=1)
    by_seat = (state.plays[rows], state.drawn[rows], state.sequence[rows])
    parts = [np.ascontiguousarray(part).view(np.uint8) for part in (small, sets, *by_seat)]
    return [row.tobytes() for row in np.concatenate(parts, axis=1)]
