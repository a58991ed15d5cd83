"""A room for one hostile bot and two honest ones, each in its own folder, next to a run that they must not touch."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre.rules.house import HouseRules
from bourre_referee.diagnostics.attacks.verdict import ExpectedOutcome, HonestBots, read_verdict
from bourre_referee.model.spec import BotEntry, Clock, Isolation, Level, MatchSpec, PlacedRoom
from bourre_referee.sandbox.levels import unavailable_reason

BOTS = Path(__file__).parent / "bots"
SHARED = Path(__file__).parent / "shared"
HOSTILE = "hostile"
HONEST = ("honest1", "honest2")
SECRET = "the-secret-of-the-run"
"""The content of the run's database and of a file in its folder, which no bot may read."""
CONNECT_MS = 60_000


def names() -> list[str]:
    """Returns the names of the hostile bots' folders, first of those that attack their sandbox."""
    found = sorted(path.parent.name for path in BOTS.glob("*/verdict.toml"))
    return sorted(found, key=lambda name: not is_on_sandbox(name))


def is_on_sandbox(name: str) -> bool:
    """Returns whether the isolation decides the result of this bot's attack, and not the referee alone."""
    verdicts = [verdict_of(name, level) for level in Level]
    plain = verdicts[0].neighbours is HonestBots.CONNECTED and verdicts[0].levels == tuple(Level)
    return not plain or len(set(map(repr, verdicts))) > 1


def verdict_of(name: str, level: Level) -> ExpectedOutcome:
    """Returns the expected verdict on a bot at a level."""
    return read_verdict(BOTS / name / "verdict.toml", level)


def prepare(place: Path, name: str) -> None:
    """Creates the bots' folders, and the run that they must not touch."""
    own = place / "bots" / HOSTILE
    shutil.copytree(BOTS / name, own, ignore=shutil.ignore_patterns("verdict.toml", "__pycache__"))
    for module in ("rogue.py", "frames.py"):
        shutil.copy(SHARED / module, own)
    for bot in HONEST:
        (place / "bots" / bot).mkdir()
        shutil.copy(SHARED / "yardstick.py", place / "bots" / bot / "bot.py")
    (place / "run").mkdir()
    (place / "run" / "run.db").write_text(SECRET)


def why_unavailable(isolation: Isolation) -> str | None:
    """Tries a level with an honest bot, and returns the reason why it is unavailable here, or None if it works."""
    with TemporaryDirectory(prefix="bourre-") as folder:  # a sandbox may contain the folder of this package
        shutil.copy(SHARED / "yardstick.py", folder)
        honest = BotEntry("honest", (sys.executable, "yardstick.py"), Path(folder), ("yardstick.py",))
        return unavailable_reason(isolation, [honest])


def room(place: Path, isolation: Isolation, verdict: ExpectedOutcome) -> PlacedRoom:
    """Returns the hostile bot's room, in a folder that `prepare` has filled."""
    clock = Clock(
        start_ms=verdict.start_ms,
        decision_ms=verdict.decision_ms,
        bank_ms=verdict.bank_ms,
        reconnect_ms=verdict.reconnect_ms,
        connect_ms=CONNECT_MS,
    )
    return _room("hostile", place, (HOSTILE, *HONEST), isolation, verdict, clock)


def honest_room(place: Path) -> PlacedRoom:
    """Returns the same match of honest bots each time."""
    clock = Clock(connect_ms=CONNECT_MS, decision_ms=10_000, bank_ms=10_000)
    connected = ExpectedOutcome(neighbours=HonestBots.CONNECTED)
    return _room("honest", place, HONEST, Isolation(Level.NONE), connected, clock)


def _room(
    room: str, place: Path, line_up: tuple[str, ...], isolation: Isolation, verdict: ExpectedOutcome, clock: Clock
) -> PlacedRoom:
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
        isolation=isolation,
    )


def _entry(bot: str, folder: Path, neighbours: HonestBots) -> BotEntry:
    if bot != HOSTILE and neighbours is HonestBots.CONNECTED:
        return BotEntry(bot, None, folder)
    files = tuple(sorted(path.name for path in folder.iterdir()))
    return BotEntry(bot, (sys.executable, "bot.py"), folder, files)
