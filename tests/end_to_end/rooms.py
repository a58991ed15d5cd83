"""Rooms for the tests: honest bots, and one that is not."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.playing.room import play_room
from bourre_referee.spec import Clock, Entry, MatchOutcome, MatchSpec, RoomSpec

BOTS = Path(__file__).parent / "bots"
GENEROUS = Clock(start_ms=20_000, decision_ms=10_000, bank_ms=10_000)
"""For tests in which no bot may be late, however slow the machine."""


def entry(name: str, script: str) -> Entry:
    """A bot of the folder `bots`."""
    return Entry(name, (sys.executable, str(BOTS / f"{script}.py")), BOTS)


def room_with(
    script: str,
    logs: Path,
    *,
    honest: int = 2,
    matches: int = 1,
    deals: int = 8,
    tables: int = 1,
    clock: Clock = GENEROUS,
    max_faults: int = 10,
) -> RoomSpec:
    """A room with the bot `tested` of this script in seat 0 of the first match, and honest ones."""
    names = ("tested", *(f"honest{number}" for number in range(1, honest + 1)))
    entries = tuple(entry(name, script if name == "tested" else "honest") for name in names)
    house = HouseRules.preset("limit")
    return RoomSpec(
        room="m0001",
        entries=entries,
        matches=tuple(
            MatchSpec(f"m{number + 1:04}", _turned(names, number), house, deals, bytes([number]) * 32)
            for number in range(matches)
        ),
        tables=tables,
        clock=clock,
        max_faults=max_faults,
        logs=logs,
    )


def _turned(names: tuple[str, ...], by: int) -> tuple[str, ...]:
    first = by % len(names)
    return names[first:] + names[:first]


def played(spec: RoomSpec) -> list[MatchOutcome]:
    """The outcomes of a room, played with real processes over real gRPC."""
    return asyncio.run(play_room(spec))


def faults_of(outcome: MatchOutcome, bot: str) -> dict[str, int]:
    """How often this bot was at fault, by kind."""
    seat = [result.bot for result in outcome.result.seats].index(bot)
    return {str(fault.fault): fault.times for fault in outcome.faults if fault.seat == seat}
