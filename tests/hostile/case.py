"""A room for one hostile bot and two honest ones, each in its own folder, beside a run that they must not touch."""

from __future__ import annotations

import shutil
import sys
from functools import cache
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.model.spec import Clock, Entry, Isolation, Level, MatchSpec, PlacedRoom
from bourre_referee.sandbox.levels import unavailable_reason
from tests.hostile.verdict import Neighbours, Verdict, read_verdict

HERE = Path(__file__).parent
SHARED = HERE / "shared"
HOSTILE = "hostile"
HONEST = ("honest1", "honest2")
SECRET = "the-secret-of-the-run"
"""The content of the run's database and of a file in its folder, which no bot may read."""
CONNECT_MS = 60_000
IMAGE = "bourre-bot"
"""The image for containers, built from docker/bot.Dockerfile; the other levels do not use it."""


def names() -> list[str]:
    """The names of the hostile bots, which are those of their folders."""
    return sorted(path.parent.name for path in HERE.glob("*/verdict.toml"))


def names_for(level: Level) -> list[str]:
    """The hostile bots that are played at this level."""
    return [name for name in names() if level in verdict_of(name, level).levels]


def verdict_of(name: str, level: Level) -> Verdict:
    """The expected verdict on a bot at a level."""
    return read_verdict(HERE / name / "verdict.toml", level)


def prepare(place: Path, name: str) -> None:
    """Creates the bots' folders, and the run that they must not touch."""
    own = place / "bots" / HOSTILE
    shutil.copytree(HERE / name, own, ignore=shutil.ignore_patterns("verdict.toml", "__pycache__"))
    for module in ("rogue.py", "frames.py"):
        shutil.copy(SHARED / module, own)
    for bot in HONEST:
        (place / "bots" / bot).mkdir()
        shutil.copy(SHARED / "yardstick.py", place / "bots" / bot / "bot.py")
    (place / "run").mkdir()
    (place / "run" / "run.db").write_text(SECRET)


def isolation(level: Level) -> Isolation:
    """How the bots are isolated at this level."""
    return Isolation(level, image=IMAGE if level is Level.CONTAINER else None)


@cache
def unavailable_here(level: Level) -> str | None:
    """Why a level is unavailable on this machine, by really trying it with an honest bot; None if it is available."""
    honest = Entry("honest", (sys.executable, "yardstick.py"), SHARED, ("yardstick.py",))
    return unavailable_reason(isolation(level), [honest])


def room(place: Path, level: Level, verdict: Verdict) -> PlacedRoom:
    """The hostile bot's room, in a folder that `prepare` has filled."""
    clock = Clock(
        start_ms=verdict.start_ms,
        decision_ms=verdict.decision_ms,
        bank_ms=verdict.bank_ms,
        reconnect_ms=verdict.reconnect_ms,
        connect_ms=CONNECT_MS,
    )
    return _room("hostile", place, (HOSTILE, *HONEST), level, verdict, clock)


def honest_room(place: Path) -> PlacedRoom:
    """The same match of honest bots each time."""
    clock = Clock(connect_ms=CONNECT_MS, decision_ms=10_000, bank_ms=10_000)
    return _room("honest", place, HONEST, Level.NONE, Verdict(neighbours=Neighbours.CONNECTED), clock)


def _room(room: str, place: Path, line_up: tuple[str, ...], level: Level, verdict: Verdict, clock: Clock) -> PlacedRoom:
    house = HouseRules.preset(verdict.preset)
    return PlacedRoom(
        room=room,
        entries=tuple(_entry(bot, place / "bots" / bot, verdict.neighbours) for bot in line_up),
        matches=tuple(
            MatchSpec(f"m{number + 1:04}", line_up, house, verdict.deals, bytes([number]) * 32)
            for number in range(verdict.matches)
        ),
        tables=verdict.matches,
        clock=clock,
        max_faults=verdict.max_faults,
        logs=place / "run" / "logs",
        isolation=isolation(level),
    )


def _entry(bot: str, folder: Path, neighbours: Neighbours) -> Entry:
    if bot != HOSTILE and neighbours is Neighbours.CONNECTED:
        return Entry(bot, None, folder)
    files = tuple(sorted(path.name for path in folder.iterdir()))
    return Entry(bot, (sys.executable, "bot.py"), folder, files)
