"""Reads the entries [[bots]] of a contest file, and checks names, commands and files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from bourre_referee.contest.bot_command import explain_missing_file, files_in, problem_with, problem_with_venv
from bourre_referee.contest.bot_permissions import (
    NetworkAsked,
    OwnIsolationSection,
    environment_problems,
    image_problems,
    network_of,
    network_problems,
)
from bourre_referee.contest.contest import Entrant
from bourre_referee.contest.contest_keys import GivenRating, IsolationSection, Name, Section, Word
from bourre_referee.contest.contest_problems import Place, Problems, header
from bourre_referee.contest.default_files import Taken, default_files, taken_by
from bourre_referee.model.site import is_there, script_of


class BotSection(Section):
    """[[bots]]: has a command or `connect = true`. A bot with a rating is an anchor of the scale."""

    name: Name
    command: Annotated[list[Word], Field(min_length=1)] | None = None
    connect: bool = False
    trusted: bool = False
    files: list[Word] | None = None
    venv: Word | None = None
    rating: GivenRating | None = None
    network: NetworkAsked = False
    environment: Annotated[list[Word], Field(default_factory=list)]
    isolation: Annotated[dict[str, Any], Field(default_factory=dict)]


B = TypeVar("B", bound=BotSection)


class BotReader(Generic[B]):
    """Reads the bots of a contest file, or of a similar file, and collects their problems."""

    def __init__(
        self, section: str, model: type[B], folder: Path, problems: Problems, format: str, isolation: IsolationSection
    ) -> None:
        """`section` is the name of the section in double brackets, such as `bots`."""
        self._name = section
        self._header = header(section)
        self._model = model
        self._folder = folder
        self._problems = problems
        self._format = format
        self._isolation = isolation
        self._names: dict[str, str] = {}

    def read(self, written: Sequence[object]) -> Iterator[tuple[B, Entrant]]:
        """Yields each valid section with its bot."""
        bots = [
            self._problems.section((self._name, index), self._label(index, keys), self._model, keys)
            for index, keys in enumerate(written)
        ]
        taken = taken_by([self._folder, *(path for bot in bots if bot for path in _paths_of(bot, self._folder))])
        for index, (keys, bot) in enumerate(zip(written, bots, strict=True)):
            place, label = (self._name, index), self._label(index, keys)
            own_place = (*place, "isolation")
            own_label = f"{label} [{self._name}.isolation]"
            own = self._problems.section(own_place, own_label, OwnIsolationSection, bot.isolation) if bot else None
            if bot and self._is_sound(bot, own, place) and own:
                yield bot, self._entrant(bot, own, taken)

    def _is_sound(self, bot: BotSection, own: OwnIsolationSection | None, place: Place) -> bool:
        if bot.name.casefold() in self._names:
            text = _same_name(bot.name, self._names[bot.name.casefold()])
            self._problems.add((*place, "name"), f"{self._header} name = {bot.name!r}: {text}")
        self._names.setdefault(bot.name.casefold(), bot.name)
        found: list[tuple[Place, str]] = [((key,), text) for key, text in self._problems_of(bot, own)]
        if own:
            conflicts = image_problems(
                own.level or self._isolation.level, own.image or self._isolation.image, own.image
            )
            found += [(("isolation", key), text) for key, text in conflicts]
        for keys, text in found:
            self._problems.add((*place, *keys), f"{self._header} {bot.name}: {text}")
        return not found

    def _problems_of(self, bot: BotSection, own: OwnIsolationSection | None) -> Iterator[tuple[str, str]]:
        yield from _problems_of(bot, self._folder)
        yield from _problems_of_trust(bot, self._format)
        yield from _problems_of_permissions(bot)
        level = (own and own.level) or self._isolation.level
        yield from (("network", text) for text in network_problems(bot.network, level))
        yield from (("environment", text) for text in environment_problems(bot.environment))

    def _entrant(self, bot: BotSection, own: OwnIsolationSection, taken: Taken) -> Entrant:
        return Entrant(
            name=bot.name,
            command=tuple(bot.command) if bot.command else None,
            files=_files(bot, self._folder, taken),
            venv=bot.venv,
            trusted=bot.trusted,
            isolation=own.own(),
            network=network_of(bot.network),
            environment=tuple(dict.fromkeys(bot.environment)),
            rating=bot.rating,
            files_by_default=bot.command is not None and bot.files is None,
        )

    def _label(self, index: int, keys: object) -> str:
        """Returns the bot's name, or its number if the name itself may be unsafe to print."""
        name = keys.get("name") if isinstance(keys, dict) else None
        sound = isinstance(name, str) and name.isascii() and name.isprintable() and 0 < len(name) <= 32
        return f"{self._header} {name}:" if sound else f"{self._header} number {index + 1}:"


def _problems_of(bot: BotSection, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the key and the text of each problem."""
    if bot.connect == (bot.command is not None):
        yield "command", 'a bot has either a command or connect = true.\nhint: set command = ["python", "bot.py"]'
    elif bot.venv and (problem := problem_with_venv(bot.venv, bot.command, folder)):
        yield "venv", problem
    elif bot.command and (problem := problem_with(bot.command, folder)):
        yield "command", problem
    elif bot.command and bot.files is None and not files_in(bot.command, folder):
        yield (
            "command",
            'the command names no file, so changes would go unnoticed.\nhint: add files = ["..."]',
        )
    for path in bot.files or ():
        if text := explain_missing_file(path, folder):
            yield "files", text
    missing = any(explain_missing_file(path, folder) for path in bot.files or ())
    if bot.files and bot.command and not missing and (unlisted := _unlisted(bot.command, bot.files, folder)):
        yield "files", f"the command runs {unlisted!r}, which files does not list.\nhint: add it to files"


def _unlisted(command: Sequence[str], files: Sequence[str], folder: Path) -> str | None:
    """Returns the file that a command runs if `files` does not contain it: a copy of the bot would lack it."""
    script, program = script_of(command), command[0]
    if script is None or script == program or not is_there(folder / script):
        return None
    place = Path(os.path.normpath(folder / script))
    return None if any(place.is_relative_to(os.path.normpath(folder / file)) for file in files) else script


def _problems_of_permissions(bot: BotSection) -> Iterator[tuple[str, str]]:
    """Checks that a remote bot has none of the keys that apply to commands only."""
    for key in ("network", "environment", "isolation"):
        if bot.connect and getattr(bot, key):
            yield key, f"{key} needs a command, because a remote bot runs on its author's machine.\nhint: remove {key}"


def _problems_of_trust(bot: BotSection, format: str) -> Iterator[tuple[str, str]]:
    """Checks `trusted`: in a duplicate, an author who hears from the bot learns its cards in every seating."""
    if bot.trusted and not (bot.connect or bot.network):
        yield "trusted", "trusted needs connect = true or a network.\nhint: remove trusted"
    elif format == "duplicate" and not bot.trusted and (bot.connect or bot.network):
        key = "connect" if bot.connect else "network"
        written = "connect = true" if bot.connect else "network"
        otherwise = "a command" if bot.connect else "network = false"
        yield (
            key,
            f'with {written}, format = "duplicate" shows the author of the bot every hand of a deal, seating by '
            f'seating.\nhint: set format = "session", {otherwise}, or trusted = true for an author whom you trust',
        )


def _paths_of(bot: BotSection, folder: Path) -> Iterator[Path]:
    named = files_in(bot.command, folder) if bot.command else ()
    return (folder / path for path in (*named, *(bot.files or ())))


def _files(bot: BotSection, folder: Path, taken: Taken) -> tuple[str, ...]:
    if bot.files is not None:
        return tuple(dict.fromkeys(bot.files))
    return default_files(bot.command, folder, taken) if bot.command else ()


def _same_name(name: str, first: str) -> str:
    if name == first:
        return "another bot has this name.\nhint: rename one of them"
    return f"this name differs from {first!r} only in case, but each bot has a folder.\nhint: rename one of them"
