"""The source of a bot: its file, or any command that connects to a referee."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bourre_referee.contest.bot_command import PATHS_START, problem_with
from bourre_referee.contest.contest import Entrant
from bourre_referee.contest.default_files import Taken, default_files, taken_by
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Clock, Level, OwnIsolation

_NAMED = re.compile(r"([A-Za-z0-9_][A-Za-z0-9._-]{0,31})=(\S.*)", re.DOTALL)
"""A command with a name, as in `mini=python -m bourre_seats.models --model mini`."""
_COMMA = re.compile(r""",(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")
"""A comma outside quotes."""
_BANK_DECISIONS = 5
"""The reserve time, in further decisions, if users choose the time."""
_START_MS, _DAY_MS = 60_000, 86_400_000


@dataclass(frozen=True, slots=True)
class BotCommand:
    """A command that starts a bot for its own user, without isolation."""

    text: str
    """As the user wrote it."""
    name: str
    words: tuple[str, ...]
    environment: tuple[str, ...] = ()
    """The names of the user's variables that the bot gets."""


BotSource = Path | BotCommand


def split_bots(text: str) -> list[str]:
    """Splits a list of bots at the commas outside quotes."""
    return [word.strip() for word in _COMMA.split(text)]


def is_command(word: str) -> bool:
    """Returns whether this is a command, with several words, and not the name or file of a bot."""
    return len(word.split()) > 1 and not Path(word.partition(":")[0]).exists()


def read_command(text: str, environment: tuple[str, ...], folder: Path) -> BotCommand:
    """Returns the command of a bot in this folder. Raises ContestError if it cannot start anything.

    The name is the one before a `=`, or else the last part of its module or file.
    """
    named = _NAMED.fullmatch(text)
    try:
        words = tuple(shlex.split(named[2] if named else text))
    except ValueError:
        raise ContestError(f"Unclosed quote in {text!r}.\nhint: add the closing quote") from None
    if problem := problem_with(words, folder):
        raise ContestError(f"{text!r}: {problem.removesuffix(PATHS_START)}")
    return BotCommand(text, named[1] if named else _usual_name(words), words, environment)


def _usual_name(words: tuple[str, ...]) -> str:
    what = next((after for word, after in pairwise(words) if word == "-m"), "")
    file = next((word for word in words[1:] if not word.startswith("-")), words[0])
    name = what.rpartition(".")[2] or Path(file).stem
    return re.sub(r"[^A-Za-z0-9._-]|^\.", "_", name)[:32] or "bot"


def entrants_of(bots: Mapping[str, BotSource], folder: Path) -> tuple[Entrant, ...]:
    """Returns the entrants of a contest in this folder, by the bots' names."""
    taken = taken_by(folder / source for source in bots.values() if isinstance(source, Path))
    return tuple(_entrant_of(name, source, folder, taken) for name, source in bots.items())


def _entrant_of(name: str, source: BotSource, folder: Path, taken: Taken) -> Entrant:
    if isinstance(source, BotCommand):
        own = OwnIsolation(Level.NONE)  # its files are unknown
        return Entrant(name, source.words, (), environment=source.environment, isolation=own)
    command = ("python", str(source))
    return Entrant(name, command, default_files(command, folder, taken), files_by_default=True)


def isolation_for(sources: Iterable[BotSource]) -> IsolationAsked:
    """Returns the best isolation for files. Commands have none by default."""
    commands_only = all(isinstance(source, BotCommand) for source in sources)
    return IsolationAsked(level="none" if commands_only else "best")


def clock_of(decision_seconds: float | None) -> Clock:
    """Returns the usual clock, or one with this many seconds for a decision and no other limit in effect."""
    if decision_seconds is None:
        return Clock()
    decision_ms = max(1, min(_DAY_MS, round(decision_seconds * 1000)))
    bank_ms = min(_DAY_MS, _BANK_DECISIONS * decision_ms)
    return Clock(start_ms=_START_MS, decision_ms=decision_ms, bank_ms=bank_ms, match_ms=_DAY_MS)
