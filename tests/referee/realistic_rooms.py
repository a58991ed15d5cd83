"""Rooms with realistic outcomes: bots renege, are late, discard too many cards, speak unasked and give up."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from bourre.record import Header, Recorder
from bourre.record.counters import Counters
from bourre.rules.actions import (
    Action,
    Decision,
    Declare,
    Draw,
    Fault,
    HandOver,
    Missing,
    NameTrump,
    Play,
    Stay,
    Unasked,
)
from bourre.rules.deck import SeededChance, derive
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import MatchResult, ranks_of, seat_result
from bourre_referee.model.spec import MatchOutcome, MatchSpec, RoomSpec, SeatFault, SeatTiming

MOST_FAULTS = 10
"""The default of a contest file."""


async def play_room(spec: RoomSpec) -> list[MatchOutcome]:
    """Plays a room: the same spec gives the same outcomes."""
    return [played(match) for match in spec.matches]


async def play_without(bot: str, logs: Path, tries: Path, spec: RoomSpec) -> list[MatchOutcome]:
    """Plays a room whose referee tries in vain to start this bot, and notes that, unless the spec says not to."""
    if bot not in spec.absent and bot in {entry.name for entry in spec.entries}:
        log = logs / bot / f"{spec.room}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("[bourre] never started: it ended with status 1\n")
        with tries.open("a") as file:
            file.write(f"{spec.room}\n")
    return [played(match, absent=(bot,)) for match in spec.matches]


def played(
    spec: MatchSpec, label: str = "answer", absent: Collection[str] = (), silent: Fault = Fault.LATE
) -> MatchOutcome:
    """One match, with everything that the referee would store of it; with another label the bots answer otherwise.

    Absent bots never start. `silent` is the fault of those that do not answer.
    """
    seats = len(spec.line_up)
    match = Match(seats, spec.deals, spec.house, SeededChance(spec.seed))
    recorder = Recorder(Header(spec.match, spec.line_up, spec.deals, spec.seed, spec.house))
    tally = Counters(seats)
    seat, action, events = None, None, match.start()
    gone = [number for number, bot in enumerate(spec.line_up) if bot in absent and not match.over]
    leaving: list[tuple[int, Action]] = [
        (number, step) for number in gone for step in (Unasked(Fault.START_FAILURE), HandOver())
    ]
    for turn in range(100 * spec.deals * seats):
        recorder.note(seat, action, events)
        tally.hear(events)
        if match.over:
            break
        dice = derive(spec.seed, f"{label} {turn}")
        seat, action = leaving.pop(0) if leaving else _next(match, dice, tally, silent)
        events = match.apply(seat, action)
    return _outcome(spec, recorder.text(), match.ledger.balances, tally)


def _next(match: Match, dice: bytes, tally: Counters, silent: Fault) -> tuple[int, Action]:
    seat, announcer = match.to_act, dice[1] % match.seats
    for lost, counts in enumerate(tally.seats):
        if lost not in tally.house and (counts.faults[Fault.CRASHED] or counts.faults.total() >= MOST_FAULTS):
            return lost, HandOver()
    if seat in tally.house:
        return seat, match.deal.default()
    if dice[0] == 0 and announcer not in tally.house:
        return announcer, Unasked(Fault.PREMATURE)
    if dice[0] == 1 and seat == 0:
        return seat, Missing(Fault.CRASHED)
    return seat, _answer(match.view(seat), match.decision, dice, silent)


def _answer(view: View, decision: Decision, dice: bytes, silent: Fault) -> Action:
    if dice[2] < 6:
        return Missing(silent)
    thrown = view.hand[: dice[3] % 4] * (1 + (dice[4] < 8))
    if decision == Decision.DECLARE:
        return Declare(dice[5] % 4 > 0, thrown)
    if decision == Decision.DRAW:
        return Draw(thrown)
    if decision == Decision.NAME_TRUMP:
        return NameTrump(view.hand[dice[5] % len(view.hand)].suit)
    if decision == Decision.STAY:
        return Stay(dice[5] % 4 > 0)
    cards = view.hand if dice[6] < 30 else view.legal
    return Play(cards[dice[7] % len(cards)])


def _outcome(spec: MatchSpec, record: str, chips: list[int], tally: Counters) -> MatchOutcome:
    seats = tuple(map(seat_result, spec.line_up, chips, ranks_of(chips), tally.seats))
    faults = (
        SeatFault(seat, fault, times)
        for seat, counts in enumerate(tally.seats)
        for fault, times in sorted(counts.faults.items())
    )
    timings = tuple(SeatTiming(10, 1.5, 0.5) for _ in seats)
    return MatchOutcome(MatchResult(spec.match, spec.deals, seats), tuple(faults), pack(record), timings)
