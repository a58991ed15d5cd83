"""The costliest decision of some deals of a match, as the champion judges what the seat knew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre.record import Record
from bourre_referee.text.narration.events_by_deal import DealEvents
from bourre_referee.web.viewer.replay_steps import steps_of
from bourre_referee.web.viewer.weighed_moves import LEAST_COST, WeighedMove, weigh_moves


@dataclass(frozen=True, slots=True)
class DearestMove:
    """A decision that lost more than any other one."""

    played: DealEvents
    """Its deal."""
    step: int
    """The number of its step in the replay of the deal, from 1."""
    move: WeighedMove

    @property
    def bot(self) -> str:
        """The bot that decided."""
        return self.played.bots[self.move.seat]


def dearest_move(record: Record, deals: Iterable[DealEvents]) -> DearestMove | None:
    """Weighs all decisions of these deals, which takes up to half a second each. None if there is none to tell."""
    weighed = [
        DearestMove(deal, number, step.weighed)
        for deal in deals
        for number, step in enumerate(steps_of(deal, weighed=weigh_moves(record, deal.number, deal.seating)), start=1)
        if step.weighed
    ]
    dearest = max(weighed, key=lambda one: one.move.cost, default=None)
    return dearest if dearest and dearest.move.cost >= LEAST_COST else None
