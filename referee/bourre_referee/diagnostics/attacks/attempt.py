"""The course of one attack at one level of isolation, and the faults that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bourre.record import read, replay
from bourre.rules.actions import Fault
from bourre_referee.diagnostics.attacks.attack_referee import Aftermath
from bourre_referee.diagnostics.attacks.attack_room import BOTS, HONEST, HOSTILE, SECRET, SHARED
from bourre_referee.diagnostics.attacks.verdict import FOUND, ExpectedOutcome
from bourre_referee.model.spec import Level, MatchOutcome

MOST_GROWN_KIB = 32 * 1024
MOST_HANDLES = 2
"""The allowed growth, because gRPC keeps one or two handles for a moment."""
MOST_LOG = 600_000
"""In bytes: twice the limit for a bot's output, to leave room for the referee's own lines."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A hostile bot's room, and its aftermath."""

    name: str
    level: Level
    verdict: ExpectedOutcome
    place: Path
    aftermath: Aftermath

    @property
    def log(self) -> str:
        """The output of the hostile bot."""
        file = self.place / "run" / "logs" / HOSTILE / "hostile.log"
        return file.read_bytes().decode(errors="replace") if file.exists() else ""

    @property
    def found(self) -> tuple[str, ...]:
        """The secrets that the bot says it has found."""
        return tuple(dict.fromkeys(re.findall(rf"{FOUND} ([^\n]*)", self.log)))

    @property
    def told(self) -> str:
        """The result of the attack: the bot's own report, and its faults."""
        outcome = self.aftermath.outcomes[0]
        own = [fault for fault in outcome.faults if outcome.result.seats[fault.seat].bot == HOSTILE]
        lines = self.log.splitlines()
        said = (next((line for line in lines if words in line), "") for words in self.verdict.log_has)
        told = [*dict.fromkeys(filter(None, said)), *(f"{fault.times} x {fault.fault}" for fault in own)]
        return ", ".join(told) or "nothing came of it"

    @property
    def never_started(self) -> bool:
        """Whether the bot had no chance to attack, for a reason of this machine."""
        faults = [fault.fault for fault in self.aftermath.outcomes[0].faults]
        return Fault.START_FAILURE in faults and Fault.START_FAILURE not in self.verdict.faults

    def complaints(self, first: Aftermath) -> tuple[str, ...]:
        """Returns all deviations from the expected state. `first` is the referee's state before all attacks."""
        matches = self.aftermath.outcomes
        if len(matches) != self.verdict.matches:
            return ("the host failed the room: {}".format("; ".join(dict.fromkeys(self.aftermath.void))),)
        return (
            *(complaint for outcome in matches for complaint in self._about_fairness(outcome)),
            *self._about_verdict(matches[0]),
            *self._about_remains(first),
            *(self._about_files() if self.level is not Level.NONE else ()),
        )

    def _about_fairness(self, outcome: MatchOutcome) -> Iterator[str]:
        """Yields faults charged to an honest bot, and flaws in the record's proof of the result."""
        seats = outcome.result.seats
        for fault in outcome.faults:
            if seats[fault.seat].bot != HOSTILE:
                yield f"an honest bot was charged with {fault.times} {fault.fault}"
        if outcome.isolation != self.level:
            yield f"it was played at level {outcome.isolation}"
        record, chips = read(outcome.record), tuple(result.chips for result in seats)
        if record.final != chips or sum(chips) != 0 or not list(replay(record)):
            yield "the record does not prove the result"

    def _about_verdict(self, outcome: MatchOutcome) -> Iterator[str]:
        """Yields differences from the bot's verdict, and traces of it in the other bots' logs."""
        yield from self.verdict.complaints(outcome, HOSTILE, self.log)
        for other in (self.place / "run" / "logs").glob("*/*"):
            size = other.stat().st_size
            if size > (MOST_LOG if other.parent.name == HOSTILE else 0):
                yield f"the log of {other.parent.name} holds {size} bytes"

    def _about_remains(self, first: Aftermath) -> Iterator[str]:
        """Yields changes in the next honest match and in the referee."""
        yield from (f"left behind: {what}" for what in self.aftermath.left)
        if self.aftermath.digest != first.digest or self.aftermath.honest.faults:
            yield "the honest match after it came out differently"
        if self.aftermath.resident_kib - first.resident_kib > MOST_GROWN_KIB:
            yield "the referee's memory has grown"
        if self.aftermath.peak_kib - first.resident_kib > MOST_GROWN_KIB:
            yield "the referee's memory grew for a while"
        if self.aftermath.handles - first.handles > MOST_HANDLES:
            yield f"the referee holds {self.aftermath.handles} files open"

    def _about_files(self) -> Iterator[str]:
        """Yields the files of the run and of the bots' programs that were written to."""
        if (self.place / "run" / "run.db").read_text() != SECRET:
            yield "the run was written to"
        sources = {HOSTILE: BOTS / self.name / "bot.py", **dict.fromkeys(HONEST, SHARED / "yardstick.py")}
        for bot, source in sources.items():
            if (self.place / "bots" / bot / "bot.py").read_bytes() != source.read_bytes():
                yield f"the program of {bot} was written to"
