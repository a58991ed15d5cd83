"""A room for one hostile bot and two honest ones, each in a folder of its own, beside a run that is none of theirs."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.model.spec import Clock, Entry, Isolation, Level, MatchSpec, RoomSpec
from tests.hostile.verdict import Company, Verdict, read_verdict

HERE = Path(__file__).parent
SHARED = HERE / "shared"
HOSTILE = "hostile"
HONEST = ("honest1", "honest2")
SECRET = "the-secret-of-the-run"
"""Stands in the run's database and in its folder: what no bot may read."""
CONNECT_MS = 60_000
IMAGE = "bourre-bot"
"""Of containers, built from docker/bot.Dockerfile; it has no part in the other levels."""


def names() -> list[str]:
    """The hostile bots, by their folders."""
    return sorted(path.parent.name for path in HERE.glob("*/verdict.toml"))


def names_for(level: Level) -> list[str]:
    """Those that are played under this level."""
    return [name for name in names() if level in verdict_of(name, level).levels]


def verdict_of(name: str, level: Level) -> Verdict:
    """What must come out for a bot under a level."""
    return read_verdict(HERE / name / "verdict.toml", level)


def prepare(place: Path, name: str) -> None:
    """Lays out the bots, and the run that they must not touch."""
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
    """As the hostile bots are kept under this level."""
    return Isolation(level, image=IMAGE if level is Level.CONTAINER else None)


def room(place: Path, level: Level, verdict: Verdict) -> RoomSpec:
    """The hostile bot's room, in a place that was prepared."""
    clock = Clock(
        start_ms=verdict.start_ms,
        decision_ms=verdict.decision_ms,
        bank_ms=verdict.bank_ms,
        reconnect_ms=verdict.reconnect_ms,
        connect_ms=CONNECT_MS,
    )
    return _room("hostile", place, (HOSTILE, *HONEST), level, verdict, clock)


def honest_room(place: Path) -> RoomSpec:
    """The same match of honest bots each time."""
    clock = Clock(connect_ms=CONNECT_MS, decision_ms=10_000, bank_ms=10_000)
    return _room("honest", place, HONEST, Level.NONE, Verdict(company=Company.CONNECTED), clock)


def _room(room: str, place: Path, line_up: tuple[str, ...], level: Level, verdict: Verdict, clock: Clock) -> RoomSpec:
    house = HouseRules.preset(verdict.preset)
    return RoomSpec(
        room=room,
        entries=tuple(_entry(bot, place / "bots" / bot, verdict.company) for bot in line_up),
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


def _entry(bot: str, folder: Path, company: Company) -> Entry:
    if bot != HOSTILE and company is Company.CONNECTED:
        return Entry(bot, None, folder)
    files = tuple(sorted(path.name for path in folder.iterdir()))
    return Entry(bot, (sys.executable, "bot.py"), folder, files)
