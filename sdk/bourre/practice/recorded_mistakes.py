"""Finds the mistakes in a recorded match, for bots in any language."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.practice.mistake import Mistake
from bourre.practice.seat import objection
from bourre.record import Record, asks_of_all
from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre.rules.view import View


def recorded_mistakes(record: Record, seed: str) -> Iterator[tuple[Mistake, str]]:
    """Yields each illegal and each missing answer, with its place in the match.

    A record does not contain the bots' exceptions. Their logs do.
    """
    header = record.header
    for number, ask in asks_of_all(record):
        said, why = objection_to(ask.action, ask.recall, ask.view)
        if why:
            seating = "" if ask.seating is None else f", seating {ask.seating}"
            place = f"{header.match}, deal {ask.view.deal}{seating}, seat {ask.view.seat}, seed {seed}"
            yield Mistake(header.bots[number], why, "", ask.view, said), place


def objection_to(
    action: Choice | Missing, recall: Recall | None, view: View
) -> tuple[Choice | Recall | None, str | None]:
    """Returns the first wrong answer and the reason. A missing answer is None, without a reason if the bot raised."""
    if isinstance(action, Missing):
        words = f"{view.decision} got no usable answer: {action.fault.replace('_', ' ')}"
        return None, None if action.fault == Fault.ERROR else words
    wrong = ((said, objection(said, view)) for said in (action, recall) if said)
    return next(((said, why) for said, why in wrong if why), (None, None))
