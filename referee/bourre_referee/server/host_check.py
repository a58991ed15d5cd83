"""Checks that this host can play: if no bot of a room connected, two reference bots play a deal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre.rules.house import HouseRules
from bourre_referee.model.spec import BotEntry, Clock, MatchOutcome, MatchSpec, PlacedRoom, RoomFailed
from bourre_referee.text.names import printable

REFERENCE_BOT = "from bourre.bot import Bot; from bourre.connection.client import run; run(Bot)"
"""The program of a reference bot."""
REFERENCE_NAMES = ("own1", "own2")

Play = Callable[[PlacedRoom], Awaitable[Sequence[MatchOutcome]]]


async def prove(spec: PlacedRoom, play: Play) -> None:
    """Plays a deal with reference bots at this room's isolation. Raises RoomFailed if they cannot play."""
    with TemporaryDirectory(prefix="bourre-") as folder:
        own = own_room(spec, Path(folder))
        (outcome,) = await play(own)
        if outcome.faults:
            log = own.logs / REFERENCE_NAMES[outcome.faults[0].seat] / f"{own.room}.log"
            why = last_words(log.read_text(errors="replace") if log.exists() else "")
            raise RoomFailed(
                f"room {spec.room}: no bot said hello, and the referee's own bots cannot play here either ({why}): "
                f"install bourre for {spec.python}, or run the contest with a Python that has it"
            )


def own_room(spec: PlacedRoom, folder: Path) -> PlacedRoom:
    """Returns a room of one deal between two reference bots in this contest's Python, with ample time to start.

    If bots of the room have different isolation, so have these two.
    """
    isolations = list(dict.fromkeys(entry.isolation for entry in spec.entries if entry.command is not None))
    own = (isolations[0], isolations[-1])
    return PlacedRoom(
        room=f"{spec.room}-own",
        entries=tuple(
            BotEntry(name, (spec.python, "-c", REFERENCE_BOT), folder, isolation=isolation)
            for name, isolation in zip(REFERENCE_NAMES, own, strict=True)
        ),
        matches=(MatchSpec("own", REFERENCE_NAMES, HouseRules(), 1, bytes(32)),),
        tables=1,
        clock=Clock(start_ms=max(spec.clock.start_ms, Clock().start_ms)),
        max_faults=1,
        logs=folder,
        isolation=spec.isolation,
        python=spec.python,
    )


def last_words(printed: str) -> str:
    """Returns the last line that the reference bots printed."""
    lines = reversed(printed.split("\n"))
    return next((printable(line) for line in lines if line.strip()), "they printed nothing")
