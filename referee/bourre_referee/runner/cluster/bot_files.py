"""Sends a bot's files to another machine, which checks them by SHA-256 before use."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath

from bourre_referee.contest.bot_command import files_in
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotSpec

LARGEST = 256 * 2**20
"""The most bytes of a bot's files in total, because one message contains them all."""

Contents = Mapping[str, bytes]
"""The contents of files by their SHA-256."""
Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class BotFile:
    """One file of a bot."""

    path: str
    """Relative to the bot's folder."""
    sha256: str
    is_program: bool
    """Whether it may be executed."""


@dataclass(frozen=True, slots=True)
class BotBundle:
    """All files of one bot."""

    files: tuple[BotFile, ...]

    @property
    def sha256(self) -> str:
        """The SHA-256 of the list, which names the bundle."""
        return hashlib.sha256(json.dumps([asdict(file) for file in self.files]).encode()).hexdigest()

    def holds(self, path: str) -> bool:
        """Whether this is one of the files, or a folder with some."""
        place = PurePosixPath(os.path.normpath(path))
        return any(PurePosixPath(os.path.normpath(file.path)).is_relative_to(place) for file in self.files)


@dataclass(frozen=True, slots=True)
class PackedBot:
    """A bot that any machine with the bundle can start, and where this machine has its files."""

    bot: BotSpec
    bundle: BotBundle
    sources: tuple[Path, ...]
    """The paths of the bundle's files, in its order."""

    def contents(self) -> dict[str, bytes]:
        """Reads the files. Raises ContestError if one has changed, or if they are larger than LARGEST in total."""
        contents = {}
        for file, source in zip(self.bundle.files, self.sources, strict=True):
            contents[file.sha256] = data = source.read_bytes()
            if hashlib.sha256(data).hexdigest() != file.sha256:
                raise ContestError(f"{source} was changed a moment ago.\nhint: run again")
        if sum(map(len, contents.values())) > LARGEST:
            raise ContestError(
                f"bot {self.bot.name}: its files are larger than {LARGEST // 2**20} MiB in total, the limit for a "
                "cluster.\nhint: list fewer under files"
            )
        return contents


def pack(bot: BotSpec, folder: Path) -> PackedBot:
    """Lists the files of a bot. Raises ContestError if one cannot be read.

    A file outside of the folder gets a name inside, which also replaces it in the bot's command.
    """
    names = {path: _name_inside(path, number, folder) for number, path in enumerate(bot.files)}
    try:
        found = [item for path in bot.files for item in _files_at(folder / path, names[path])]
        bundle = BotBundle(tuple(_list_file(name, source) for name, source in found))
    except OSError as error:
        raise ContestError(
            f"bot {bot.name}: cannot read {error.filename}: {error.strerror}.\nhint: correct its files"
        ) from error
    for word in files_in(bot.command, folder) if bot.command else ():
        if not bundle.holds(names.get(word, word)):
            raise ContestError(
                f"bot {bot.name}: the command names {word!r}, which is not in `files`, so a cluster would lack it.\n"
                "hint: add it to `files` in the contest file, or remove --cluster"
            )
    command = bot.command and tuple(names.get(word, word) for word in bot.command)
    packed = replace(bot, command=command, folder="", files=tuple(names.values()), sha256=bundle.sha256)
    return PackedBot(packed, bundle, tuple(source for _, source in found))


def _name_inside(path: str, number: int, folder: Path) -> str:
    """Returns the name of a file or folder within the bundle, which is its own if it is in the folder."""
    place, inside = Path(os.path.normpath(folder / path)), Path(os.path.normpath(folder))
    return place.relative_to(inside).as_posix() if place.is_relative_to(inside) else f"elsewhere{number}/{place.name}"


def _files_at(place: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Yields the files of a path with their names, without Python's caches."""
    if not place.is_dir():
        yield name, place
        return
    for file in sorted(place.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield f"{name.rstrip('/')}/{file.relative_to(place).as_posix()}", file


def _list_file(name: str, source: Path) -> BotFile:
    return BotFile(name, hashlib.sha256(source.read_bytes()).hexdigest(), os.access(source, os.X_OK))


class FetchedFiles:
    """The bundles that a machine has fetched, each in a folder named by its SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._checked: dict[Path, Stamp] = {}
        """The date and size of each file when its content was last checked."""

    def lacks(self, bundle: BotBundle) -> bool:
        """Whether the bundle has not been fetched yet."""
        return not (self._folder / bundle.sha256).is_dir()

    def unpack(self, bundle: BotBundle, contents: Contents) -> None:
        """Writes a bundle atomically. Other processes may write the same bundle at the same time."""
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = self._folder / f"new-{secrets.token_hex(8)}"
        try:
            fresh.mkdir()
            for file in bundle.files:
                place = fresh / file.path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(contents[file.sha256])
                place.chmod(0o755 if file.is_program else 0o644)
            if self.lacks(bundle):
                fresh.rename(self._folder / bundle.sha256)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def problem(self, bundle: BotBundle) -> str | None:
        """Returns which file is wrong; None if none is. It reads unchanged files only once."""
        again = f"remove {self._folder}, and it is fetched again"
        for file in bundle.files:
            place = self._folder / bundle.sha256 / file.path
            try:
                stamp = _stamp(place)
                if self._checked.get(place) == stamp:
                    continue
                found = hashlib.sha256(place.read_bytes()).hexdigest()
            except OSError as error:
                return f"{place}: {error.strerror}.\nhint: {again}"
            if found != file.sha256:
                return f"{place} was changed here.\nhint: {again}"
            self._checked[place] = stamp
        return None


def _stamp(place: Path) -> Stamp:
    status = place.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
