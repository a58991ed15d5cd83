"""Fake rooms: played without bots, clocks or a wire, or failing in every way. Few imports, because workers load it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bourre.record import Header, Recorder
from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, Play
from bourre.rules.deck import SeededChance, derive
from bourre.rules.events import PotTaken
from bourre.rules.match import Match
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.model.spec import MatchOutcome, MatchSpec, RoomFailed, RoomSpec, SeatFault, SeatTiming

Rooms = tuple[RoomSpec, ...]


async def play_room(spec: RoomSpec) -> list[MatchOutcome]:
    """Plays a room as an honest referee with well-behaved bots would: the same spec gives the same outcomes."""
    return [played(match) for match in spec.matches]


def played(spec: MatchSpec) -> MatchOutcome:
    """One match between bots whose answers follow from the seed."""
    match = Match(len(spec.line_up), spec.deals, spec.house, SeededChance(spec.seed))
    recorder = Recorder(Header(spec.match, spec.line_up, spec.deals, spec.seed, spec.house))
    events = match.start()
    recorder.note(None, None, events)
    wins = [0] * len(spec.line_up)
    while not match.over:
        seat = match.to_act
        action = _choice(match, derive(spec.seed, f"{len(wins)} {match.deal.number} {seat}")[0])
        events = match.apply(seat, action)
        recorder.note(seat, action, events)
        for event in events:
            if isinstance(event, PotTaken):
                wins[event.seat] += 1
    return _outcome(spec, match.ledger.balances, wins, recorder.text())


def _choice(match: Match, dice: int) -> Action:
    view = match.view(match.to_act)
    if match.decision == Decision.DECLARE:
        return Declare(dice % 3 > 0, view.hand[: dice % 2])
    return Draw() if match.decision == Decision.DRAW else Play(view.legal[dice % len(view.legal)])


def _outcome(spec: MatchSpec, chips: Sequence[int], wins: Sequence[int], record: str) -> MatchOutcome:
    ranks = ranks_of(chips)
    seats = tuple(
        SeatResult(bot, chips[seat], ranks[seat], wins[seat], 0, int(seat == 1), 2 * (seat == 0), 0)
        for seat, bot in enumerate(spec.line_up)
    )
    return MatchOutcome(
        result=MatchResult(spec.match, spec.deals, seats),
        faults=(SeatFault(0, Fault.LATE, 2),),
        packed=pack(record),
        timings=tuple(SeatTiming(10, 1.5, 0.5) for _ in spec.line_up),
    )


async def play_one_and_restart(spec: RoomSpec) -> list[MatchOutcome]:
    """A room in which a bot fails in the first match."""
    return [played(spec.matches[0])]


async def play_and_tell(log: Path, spec: RoomSpec) -> list[MatchOutcome]:
    """Plays, and logs each room that it has played."""
    outcomes = await play_room(spec)
    with log.open("a") as file:
        file.write(f"{spec.room}\n")
    return outcomes


async def play_or_die(marks: Path, room: str, spec: RoomSpec, by: int = signal.SIGKILL) -> list[MatchOutcome]:
    """Kills its own process in this room, the first time."""
    mark = marks / "died"
    if spec.room == room and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), by)
    return await play_room(spec)


async def play_or_stop(marks: Path, room: str, spec: RoomSpec) -> list[MatchOutcome]:
    """Stops its own process in this room, the first time, and writes down its id."""
    mark = marks / "stopped"
    if spec.room == room and not mark.exists():
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGSTOP)
    return await play_room(spec)


async def play_and_fail(spec: RoomSpec) -> list[MatchOutcome]:
    """Fails like a host that cannot start a bot."""
    raise RoomFailed(f"no sandbox for {spec.room}")


async def play_and_break(spec: RoomSpec) -> list[MatchOutcome]:
    """Fails like a referee with a bug."""
    raise KeyError("a mistake of ours")


def played_for_ada(spec: MatchSpec) -> MatchOutcome:
    """The house plays every deal of one bot, whose program never started."""
    outcome = played(spec)
    return replace(outcome, result=_by_house(outcome.result, "ada"))


def _by_house(result: MatchResult, bot: str) -> MatchResult:
    seats = (replace(seat, house_deals=result.deals) if seat.bot == bot else seat for seat in result.seats)
    return replace(result, seats=tuple(seats))


async def play_aloud(spec: RoomSpec) -> list[MatchOutcome]:
    """Prints a line, and plays."""
    print("a word from the worker", flush=True)
    return await play_room(spec)


async def play_with_a_child(spec: RoomSpec) -> list[MatchOutcome]:
    """Fails when a process started here inherits a socket or pipe as its standard input."""
    program = "import os, stat; exit(not stat.S_ISCHR(os.fstat(0).st_mode))"
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    if await child.wait():
        raise RoomFailed("a child could read what the parent says")
    return await play_room(spec)


async def play_or_wait(pipe: Path, room: str, spec: RoomSpec) -> list[MatchOutcome]:
    """In this room writes its process id to a named pipe and never ends; the pipe closes with the process."""
    if spec.room == room:
        end = await asyncio.to_thread(os.open, pipe, os.O_WRONLY)
        os.write(end, f"{os.getpid()}\n".encode())
        try:
            await asyncio.Event().wait()
        finally:
            os.write(end, b"cancelled\n")
    return await play_room(spec)


async def play_when_told(pipe: Path, room: str, spec: RoomSpec) -> list[MatchOutcome]:
    """In this room waits until something is written to a named pipe."""
    if spec.room == room:
        await asyncio.to_thread(pipe.read_bytes)
    return await play_room(spec)
