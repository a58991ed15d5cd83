"""Examines one bot: plays up to three rooms with it, and judges them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.evaluation.check.answer_checks import answer_checks
from bourre_referee.evaluation.check.bot_checks import (
    determinism_check,
    end_check,
    memory_check,
    names_check,
    output_check,
    speed_check,
    start_check,
)
from bourre_referee.evaluation.check.check_report import Check, CheckReport, CheckVerdict
from bourre_referee.evaluation.check.check_room import CheckedRoom, play
from bourre_referee.evaluation.check.finding_context import Context, own_lines
from bourre_referee.evaluation.check.trial_matches import (
    MANY_TABLES,
    REPEATED_MATCHES,
    TrialMatch,
    TrialTerms,
    extra_matches,
    guest_name,
    trial_matches,
)
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.spec import BotEntry, Clock, Isolation, PlacedRoom, RoomFailed
from bourre_referee.runner.interrupt import until_signal

ATTEMPTS = 3
"""How often a room is tried. If the host fails it, it is discarded and played again, as in a contest."""
FIRST_LINES = 8
"""How many of the bot's first lines are reported."""
_AGAIN = "again", "gives the same answers when everything is repeated"
_TABLES = "tables", f"gives the same answers at {MANY_TABLES} tables at once as at one"
_NO_CLOCK = "use random numbers only from `view.rng` or `random`, and read no clock"
_NO_SHARING = "store the state of a match in the bot's instance, not in the module or class"

Progress = Callable[[str, int, int], None]
"""Called with the room's name, the number of its finished matches, and of all its matches."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The bot under test."""

    entry: BotEntry
    """How the bot is started, under the name TESTED_BOT."""
    name: str
    words: tuple[str, ...]
    """The command that checks this bot, without options."""
    isolation: Isolation


def examine(subject: Subject, terms: TrialTerms, logs: Path, progress: Progress) -> CheckReport:
    """Plays the rooms and judges them. Raises ContestFailed if the host fails them."""
    checks, played = _run_checks(subject, terms, logs, progress)
    printed = list(own_lines(played.printed))
    return CheckReport(
        bot=subject.name,
        command=subject.entry.command or (),
        seed=terms.seed,
        deals=sum(trial.deals for trial in trial_matches(terms)),
        presets=terms.presets,
        isolation=str(subject.isolation.level),
        checks=tuple(checks),
        printed="\n".join(printed[:FIRST_LINES]),
    )


def _run_checks(subject: Subject, terms: TrialTerms, logs: Path, progress: Progress) -> tuple[list[Check], CheckedRoom]:
    clock = Clock(terms.start_ms, terms.decision_ms, bank_ms=0)
    main = trial_matches(terms)
    whole = [*main, *extra_matches(terms)]
    rooms = TrialRooms(subject, terms, clock, logs, progress)
    played = rooms.play("at one table", whole, 1)
    context = Context(terms, subject.words, {trial.match: trial for trial in whole}, played)
    checks = [start_check(context)]
    if played.hello is None:
        return checks, played
    checks += [names_check(context), end_check(context), *answer_checks(context), speed_check(context)]
    checks += [output_check(context), memory_check(context)]
    if played.gone:
        return [*checks, *_skip_repetitions()], played
    again = rooms.play("once more", main[:REPEATED_MATCHES], 1)
    checks.append(determinism_check(*_AGAIN, _NO_CLOCK, context, again))
    if checks[-1].verdict == CheckVerdict.FAILED:
        return [
            *checks,
            Check(*_TABLES, CheckVerdict.SKIPPED, "not tried, because its answers already differ at one table"),
        ], played
    tables = rooms.play(f"at {MANY_TABLES} tables", main[:REPEATED_MATCHES], MANY_TABLES)
    checks.append(determinism_check(*_TABLES, _NO_SHARING, context, tables))
    return checks, played


def _skip_repetitions() -> list[Check]:
    why = "not tried, because the bot left before the end"
    return [Check(*which, CheckVerdict.SKIPPED, why) for which in (_AGAIN, _TABLES)]


@dataclass(frozen=True, slots=True)
class TrialRooms:
    """Plays rooms with this bot, each in a fresh process."""

    subject: Subject
    terms: TrialTerms
    clock: Clock
    logs: Path
    progress: Progress

    def play(self, name: str, matches: Sequence[TrialMatch], tables: int) -> CheckedRoom:
        """Plays a room, and plays it again if the host fails it."""
        spec = self._spec(name.replace(" ", "-"), matches, tables)
        for attempt in range(1, ATTEMPTS + 1):
            self.progress(name, 0, len(matches))
            try:
                return asyncio.run(until_signal(play(spec, lambda done: self.progress(name, done, len(matches)))))
            except asyncio.CancelledError:
                raise KeyboardInterrupt from None
            except RoomFailed as failed:
                if attempt == ATTEMPTS:
                    raise ContestFailed(f"{failed} (tried {ATTEMPTS} times)") from failed
        raise AssertionError("the last attempt returns or raises")

    def _spec(self, room: str, matches: Sequence[TrialMatch], tables: int) -> PlacedRoom:
        guests = (guest_name(number) for number in range(1, max(trial.seats for trial in matches)))
        return PlacedRoom(
            room=room,
            entries=(self.subject.entry, *(BotEntry(name, None, Path.cwd()) for name in guests)),
            matches=tuple(trial.spec(self.terms.seed) for trial in matches),
            tables=tables,
            clock=self.clock,
            max_faults=10,
            logs=self.logs,
            isolation=self.subject.isolation,
        )
