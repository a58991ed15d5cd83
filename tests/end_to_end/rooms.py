"""Rooms for tests: honest bots, which run in the test's own process, and one tested bot, which does not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bourre.bot import Bot
from bourre.connection.client import play
from bourre.rules.house import HouseRules
from bourre_referee.diagnostics.attacks.invited_room import play_invited
from bourre_referee.model.spec import BotEntry, Clock, MatchOutcome, MatchSpec, PlacedRoom

BOTS = Path(__file__).parent / "bots"
GENEROUS = Clock(start_ms=20_000, decision_ms=10_000, bank_ms=10_000)
"""For tests in which no bot may be late, however slow the machine."""
HONEST: Mapping[str, type[Bot]] = {f"honest{number}": Bot for number in range(1, 8)}
"""The names under which `bots/honest.py` plays in rooms."""
ALL_HONEST = {**HONEST, "tested": Bot}
"""The in-process bots of a room without processes; the same room with processes must play alike."""


def entry(name: str, script: str) -> BotEntry:
    """The entry for a bot in the folder `bots`."""
    return BotEntry(name, (sys.executable, str(BOTS / f"{script}.py")), BOTS)


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
) -> PlacedRoom:
    """A room with the bot `tested` of this script in seat 0 of the first match, and honest ones."""
    names = ("tested", *(f"honest{number}" for number in range(1, honest + 1)))
    entries = tuple(entry(name, script if name == "tested" else "honest") for name in names)
    house = HouseRules.preset("limit")
    return PlacedRoom(
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


def played(spec: PlacedRoom, guests: Mapping[str, type[Bot]] = HONEST) -> list[MatchOutcome]:
    """The outcomes of a room, over real gRPC: guests run in this process, the others are started as usual."""
    return asyncio.run(visited(spec, guests))


async def visited(spec: PlacedRoom, guests: Mapping[str, type[Bot]] = HONEST) -> list[MatchOutcome]:
    """The same, in the caller's own event loop."""
    visits: list[asyncio.Task[None]] = []

    def invite(bot: str, address: str, token: str) -> None:
        visits.append(asyncio.create_task(play(guests[bot], address, token)))

    entries = tuple(replace(entry, command=None) if entry.name in guests else entry for entry in spec.entries)
    try:
        outcomes = await play_invited(replace(spec, entries=entries), invite)
    except BaseException:
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        raise
    await asyncio.gather(*visits)
    return outcomes


def faults_of(outcome: MatchOutcome, bot: str) -> dict[str, int]:
    """How often this bot was at fault, by kind."""
    seat = [result.bot for result in outcome.result.seats].index(bot)
    return {str(fault.fault): fault.times for fault in outcome.faults if fault.seat == seat}
