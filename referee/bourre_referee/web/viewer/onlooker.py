"""A replay as an onlooker at the table saw it: no hidden card, no discard, no cinch, no note."""

from __future__ import annotations

from dataclasses import replace

from bourre.words.table_words.picture import Picture, SeatPicture
from bourre_referee.text.narration.event_log import EventText
from bourre_referee.web.viewer.replay_steps import ReplayStep


def seen_by_onlooker(step: ReplayStep) -> ReplayStep:
    """Return the step without what only a seat could know; the number of cards in each hand stays."""
    texts = tuple(EventText(text.public, text.public, None) for text in step.texts)
    return replace(step, texts=texts, table=_table(step.table), rules=(), notes=(), asked=None, verdicts=())


def _table(table: Picture) -> Picture:
    renege = table.renege and replace(table.renege, legal=())
    return replace(table, seats=tuple(map(_seat, table.seats)), renege=renege)


def _seat(seat: SeatPicture) -> SeatPicture:
    return replace(seat, hand=(None,) * len(seat.hand))
