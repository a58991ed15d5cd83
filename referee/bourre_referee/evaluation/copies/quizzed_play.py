"""The play of bots that never met the same deals: each is asked the same, at a referee of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bourre.record import RecordedAsk, asks, read
from bourre_referee.evaluation.check.determinism_check import digest
from bourre_referee.evaluation.check.examine_bot import Subject, TrialRooms
from bourre_referee.evaluation.check.trial_matches import MANY_TABLES, TESTED_BOT, TrialTerms, trial_matches
from bourre_referee.evaluation.copies.same_play import Play
from bourre_referee.model.spec import Clock

TERMS = TrialTerms(presets=("limit",), seats=(3,), deals=720, seed=1, decision_ms=5000, start_ms=60_000)
"""Simple bots make 1,000 to 1,600 decisions in these deals, among two guests that play at random."""
_CLOCK = Clock(TERMS.start_ms, TERMS.decision_ms, bank_ms=0)


def quiz(subject: Subject, logs: Path) -> tuple[str, ...] | None:
    """Play the same matches as with every other bot; return their records, or None if it did not play to the end.

    A bot that reads the clock may answer otherwise each time. Raises ContestFailed if the host fails it.
    """
    rooms = TrialRooms(subject, TERMS, _CLOCK, logs / subject.name, lambda *_: None)
    played = rooms.play("quiz", trial_matches(TERMS), MANY_TABLES)
    if played.hello is None or played.gone:
        return None
    return tuple(outcome.record for outcome in played.outcomes)


def quizzed_play(bot: str, records: Sequence[str]) -> Play:
    """Return how a bot played, from the records of its matches."""
    return Play(bot, digest(records), partial(_playings, records))


def _playings(records: Sequence[str]) -> Iterator[Iterator[RecordedAsk]]:
    """Yield the asks of each match, which meets an instance of its own."""
    for text in records:
        record = read(text)
        yield asks(record, record.header.bots.index(TESTED_BOT))
