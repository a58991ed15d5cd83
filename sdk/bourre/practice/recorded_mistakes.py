"""The mistakes of a recorded match, in the words of practice; the bots may be of any language."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.practice.mistake import Mistake
from bourre.practice.seat import objection
from bourre.record import Record, RecordedAsk, asks_of_all
from bourre.rules.actions import Choice, Fault, Missing, Recall


def recorded_mistakes(record: Record, seed: str) -> Iterator[tuple[Mistake, str]]:
    """Yields each illegal answer, and each that did not come, with its place in the match.

    What a bot raised is not part of a record, and so not told here; its log tells it.
    """
    header = record.header
    for number, ask in asks_of_all(record):
        said, why = _objectionable(ask)
        if why:
            seating = "" if ask.seating is None else f", seating {ask.seating}"
            place = f"{header.match}, deal {ask.view.deal}{seating}, seat {ask.view.seat}, seed {seed}"
            yield Mistake(header.bots[number], why, "", ask.view, said), place


def _objectionable(ask: RecordedAsk) -> tuple[Choice | Recall | None, str | None]:
    """Returns the first answer that is wrong, and why; an answer that did not come is None."""
    if isinstance(ask.action, Missing):
        fault = ask.action.fault
        words = f"{ask.view.decision} got no usable answer: {fault.replace('_', ' ')}"
        return None, None if fault == Fault.ERROR else words
    wrong = ((said, objection(said, ask.view)) for said in (ask.action, ask.recall) if said)
    return next(((said, why) for said, why in wrong if why), (None, None))
