"""Adds bots and new versions to a ladder, within its quotas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from bourre_referee.contest.bot_command import PATHS_START, main_file_in, problem_with, problem_with_own_python
from bourre_referee.contest.contest import Entrant as ContestEntrant
from bourre_referee.contest.default_files import default_files, taken_by
from bourre_referee.ladder.host.bot_copy import Hashes, copy_bot, hash_bot
from bourre_referee.ladder.host.ladder_file import CLOCK_CLASS, LadderSettings, Quotas
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.entrant import objection_to_version
from bourre_referee.ladder.log.events import BotJoined, BotRetired, By, Event
from bourre_referee.ladder.log.ladder_names import DECLARED, LONGEST_NAME, NAME_CHARACTERS, is_bot_name, is_declared
from bourre_referee.ladder.log.shared_log import Tail, log_time, utc_now
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.bot_zip import unpack_submitted
from bourre_referee.text.names import printable


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A bot, or a new version of one, to add."""

    bot: str
    owner: str | None = None
    """None means the bot's present owner or, for a new bot, an owner with the bot's name."""
    version: str | None = None
    """The version that its author declares; None means its number."""
    by: By = "host"
    """Who adds it."""


def add_remote(ladder: LadderFolder, newcomer: Newcomer, now: Callable[[], datetime] = utc_now) -> BotJoined:
    """Adds a remote bot. Raises ContestError if it may not join."""
    return _add(ladder, newcomer, (), (), now)


def add_hosted(
    ladder: LadderFolder,
    newcomer: Newcomer,
    command: Sequence[str],
    files: Sequence[str],
    source: Path,
    now: Callable[[], datetime] = utc_now,
) -> BotJoined:
    """Adds a bot that the host starts, and copies its files from `source`.

    The default files are those of a contest. Raises ContestError if it may not join or could not start.
    """
    if problem := problem_with(command, source) or problem_with_own_python(command[0], source):
        raise ContestError(f"{newcomer.bot}: {problem.removesuffix(PATHS_START)}")
    if not (paths := tuple(files) or default_files(command, source, taken_by([ladder.path]))):
        raise ContestError(f"{newcomer.bot}: its command names no file.\nhint: use --files, as in --files bot.py")
    with ladder.adding() as copy:
        hashes = copy_bot(paths, source, copy)
        if problem := problem_with(command, copy):
            what = problem.partition("\n")[0].removesuffix(".")
            raise ContestError(f"{newcomer.bot}: {what}.\nhint: add all files that its command needs")
        return _add(ladder, newcomer, tuple(command), hashes, now, copy)


def add_submitted(
    ladder: LadderFolder,
    newcomer: Newcomer,
    command: Sequence[str],
    data: bytes,
    now: Callable[[], datetime] = utc_now,
) -> BotJoined:
    """Adds a bot that the host starts, from a zip or a single file. Raises as `add_hosted` does."""
    with ladder.adding() as source:
        names = unpack_submitted(data, source, main_file_in(command))
        return add_hosted(ladder, newcomer, command, names, source, now)


def _add(
    ladder: LadderFolder,
    newcomer: Newcomer,
    command: tuple[str, ...],
    files: Hashes,
    now: Callable[[], datetime],
    copy: Path | None = None,
) -> BotJoined:
    if not is_bot_name(newcomer.bot):
        raise ContestError(
            f"{newcomer.bot!r}: a bot's name takes 1 to {LONGEST_NAME} of the characters {NAME_CHARACTERS}"
        )
    quotas, log = ladder.settings().quotas, ladder.open_log(now)
    with log.appending() as tail:
        joined = _joined(newcomer, tail.state, command, files)
        day = [logged.event for logged in log.read_new() if logged.at > log_time(now() - timedelta(days=1))]
        for problem in (*_name_problems(joined, tail.state), *_excesses(joined, tail.state, quotas, day)):
            raise ContestError(f"{joined.bot}: {problem}")
        if copy:
            ladder.keep(copy, joined)
        tail.append(joined)
    return joined


def _joined(newcomer: Newcomer, state: LadderState, command: tuple[str, ...], files: Hashes) -> BotJoined:
    known = state.bots.get(newcomer.bot)
    number = known.joined.number + 1 if known else 1
    owner = newcomer.owner or (known.joined.owner if known else newcomer.bot)
    version = newcomer.version or str(number)
    return BotJoined(newcomer.bot, number, version, owner, CLOCK_CLASS, command=command, files=files, by=newcomer.by)


def _name_problems(joined: BotJoined, state: LadderState) -> Iterator[str]:
    """Yields why this bot cannot have its name, version or owner."""
    known, twin = state.bots.get(joined.bot), joined.bot.casefold()
    if known is None and joined.bot.startswith("-"):
        yield "a name that begins with a hyphen looks like an option.\nhint: rename the bot"
    for name in state.bots if known is None else ():
        if name.casefold() == twin:
            yield f"its name differs from {name} only in case, but each bot has a folder.\nhint: rename it"
    if known and known.joined.owner != joined.owner:
        yield f"it belongs to {known.joined.owner}.\nhint: rename your bot"
    if problem := objection_to_version(joined, [each for each in state.entrants if each.bot == joined.bot]):
        yield problem
    for kind, text in (("owner", joined.owner), ("version", joined.version)):
        if not is_declared(text) or printable(text) != text:
            yield f"{kind} {text!r}: {DECLARED}"
    if joined.owner == HOST:
        yield f"the owner {HOST!r} is reserved for the ladder's own bots.\nhint: add those as [[staff]] to ladder.toml"


def _excesses(joined: BotJoined, state: LadderState, quotas: Quotas, day: Iterable[Event]) -> Iterator[str]:
    """Yields every quota that this bot or version would exceed. `day` has the events of the last 24 hours."""
    others = [bot for bot in state.bots.values() if not (bot.retired or bot.joined.staff or bot.bot == joined.bot)]
    owned = sum(bot.joined.owner == joined.owner for bot in others)
    if len(others) >= quotas.bots:
        yield f"the ladder is full, with {len(others)} bots ([quotas] bots): a bot must retire first"
    if owned >= quotas.bots_per_owner:
        yield f"{joined.owner} has {owned} bots, which is the most ([quotas] bots_per_owner): retire one first"
    if sum(isinstance(event, BotJoined) and event.bot == joined.bot for event in day) >= quotas.versions_per_day:
        yield f"it had {quotas.versions_per_day} versions in a day ([quotas] versions_per_day). Come back tomorrow."


HOST = "host"
"""The owner of staff bots, and of no other bot."""


def enter_staff(ladder: LadderFolder, settings: LadderSettings, tail: Tail) -> None:
    """Logs the changes of the staff: new bots, new versions, and bots that are gone.

    Raises ContestError if somebody else's bot has the name of a staff bot.
    """
    for bot in settings.contest.entrants:
        hashes = hash_bot(bot.files, settings.contest.folder)
        if (joined := _staff_version(bot, hashes, tail.state, ladder)) is not None:
            if joined.hosted:
                with ladder.adding() as copy:
                    copy_bot(bot.files, settings.contest.folder, copy)
                    ladder.keep(copy, joined)
            tail.append(joined)
    for gone in _gone(settings, tail.state):
        tail.append(BotRetired(gone, by="host"))


def _staff_version(bot: ContestEntrant, hashes: Hashes, state: LadderState, ladder: LadderFolder) -> BotJoined | None:
    """Returns the version of a staff bot to add; None if it has joined before."""
    known = state.bots.get(bot.name)
    if known is not None and not known.joined.staff:
        text = f"[[staff]] {bot.name}: a bot of {known.joined.owner} has this name.\nhint: rename yours"
        raise ContestError(f"{ladder.file}: {text}")
    number = known.joined.number + 1 if known else 1
    command = bot.command or ()
    if known and not known.retired and (known.joined.command, known.joined.files) == (command, hashes):
        return None
    version = BotJoined(bot.name, number, str(number), HOST, CLOCK_CLASS, staff=True, command=command, files=hashes)
    return replace(version, by="host")


def _gone(settings: LadderSettings, state: LadderState) -> Iterator[str]:
    there = set(settings.contest.names)
    gone = [bot for name, bot in state.bots.items() if bot.joined.staff and not bot.retired and name not in there]
    return (bot.bot for bot in gone)
