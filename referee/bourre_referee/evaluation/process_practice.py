"""Practice with bots that are commands: sessions at a referee, which are not kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bourre.practice import BotResult, PracticeMatch, PracticeNote, PracticeResult
from bourre.practice.result import add_up
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in
from bourre_referee.evaluation.bot_source import BotSource, entrants_of
from bourre_referee.model.results import MatchResult
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.model.spec import Clock
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.interrupt import Stop
from bourre_referee.storage.run.run import Run

MOST_TABLES = 32
MOST_FAULTS = 1_000_000
"""Practice goes on after any fault: the referee never takes over."""


def session_of(
    bots: Mapping[str, BotSource],
    seed: int,
    deals: int,
    matches: int,
    house: HouseRules,
    folder: Path,
    clock: Clock,
    *,
    duplicate: bool = False,
) -> Contest:
    """Returns a contest of about `deals * matches` deals, in which every bot sits in every seat equally often.

    With `duplicate` it has the form of the hidden deals of `bourre grade`: one line-up, each deal in all seatings.
    """
    rounds = ScheduleChoice(rounds=-(-matches // len(bots)))
    schedule = ScheduleChoice("once", line_ups=(tuple(bots),)) if duplicate else rounds
    played = matches_in(schedule, len(bots), len(bots))
    return Contest(
        name="practice",
        seed=seed,
        seats=len(bots),
        deals=-(-deals * matches // played),
        format="duplicate" if duplicate else "session",
        tables=MOST_TABLES if duplicate else min(played, MOST_TABLES),
        stakes=(0,),
        house=house,
        schedule=schedule,
        clock=clock,
        max_faults=MOST_FAULTS,
        entrants=entrants_of(bots, folder),
        folder=folder,
        isolation=IsolationAsked("none"),  # practice in one process has none either
    )


def practice_by_processes(contest: Contest, folder: Path, stop: Stop) -> PracticeResult:
    """Plays the contest in a run folder. Raises the errors of `runner.contest_run.run`."""
    run(contest, folder, jobs=1, stop=stop)
    played = Run.open(folder)
    return add_up(contest.names, [_practised(match, played.remarks(match.match)) for match in played.results()])


def _practised(match: MatchResult, remarks: Sequence[SeatRemarks]) -> PracticeMatch:
    rows = tuple(
        BotResult(
            bot=seat.bot,
            deals=match.deals,
            chips=round(seat.chips / match.unit),
            wins=seat.wins,
            bourres=seat.bourres,
            reneges=seat.reneges,
            faults=seat.faults,
            usage=said.usage,
        )
        for seat, said in zip(match.seats, remarks or [SeatRemarks()] * len(match.seats), strict=True)
    )
    notes = tuple(sorted(_notes(match, remarks), key=lambda note: (note.deal, note.number)))
    return PracticeMatch(match.match, rows, record="", problems=(), notes=notes)


def _notes(match: MatchResult, remarks: Sequence[SeatRemarks]) -> Iterator[PracticeNote]:
    """Yields the bots' notes, seat by seat."""
    for seat, said in zip(match.seats, remarks, strict=False):
        for note in said.notes:
            yield PracticeNote(seat.bot, note.deal, note.number, note.text)
