"""Private copies of bots' files, in which bots run, so that they do not change the originals."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from bourre_referee.model.spec import BotEntry
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind
from bourre_referee.sandbox.bwrap.interpreter import interpreter_of
from bourre_referee.sandbox.bwrap.visible_files import TOP, SandboxFiles


def in_private_copy(entry: BotEntry, copies: Path) -> BotEntry:
    """Returns a bot without isolation in its private copy, which has a sandbox's folders, but follows links.

    A bot without files keeps its working directory.
    """
    if not entry.files or entry.command is None:
        return entry
    bot_files = SandboxFiles(entry)
    copy = copy_once(entry, bot_files.followed(), copies)

    def translate(word: str) -> str:
        inside = bot_files.translate(word)
        return word if inside == word else str(copy / _below_top(inside))

    program, *arguments = entry.command
    # A Python stays in its place, because its environment contains its path.
    program = program if interpreter_of(Path(program)) else translate(program)
    command = (program, *map(translate, arguments))
    return replace(entry, command=command, folder=copy / _below_top(bot_files.folder), own_folder="")


def copy_once(entry: BotEntry, files: Iterable[Bind], copies: Path) -> Path:
    """Returns the copy of a bot's files in `copies`, which the first room of a run makes."""
    # Other users may not enter, because the files of a bot may be private.
    around = copies / sha256(repr((entry.folder, entry.files)).encode()).hexdigest()[:16]
    around.mkdir(mode=0o700, parents=True, exist_ok=True)
    place, fresh = around / entry.name, around / f"{entry.name}.{secrets.token_hex(8)}"
    if place.is_dir():
        return place
    try:
        copy_files(SandboxFiles(entry).folder, files, fresh)
        fresh.rename(place)
    except OSError:
        if not place.is_dir():  # otherwise another room was faster
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return place


def copy_files(working: str, files: Iterable[Bind], folder: Path) -> None:
    """Copies a bot's files into a new folder, which becomes its /bot, with its working directory.

    All users may read the copy. Links in a folder stay links, so that they resolve in a container and not on the host.
    Pipes and Python's caches are omitted. Raises OSError if something cannot be copied.
    """
    (folder / _below_top(working)).mkdir(parents=True)
    for bind in _outermost(files):
        target = folder / _below_top(bind.target)
        target.parent.mkdir(parents=True, exist_ok=True)
        if bind.source.is_dir():
            shutil.copytree(bind.source, target, symlinks=True, dirs_exist_ok=True, ignore=_not_copied)
        else:
            shutil.copy2(bind.source, target)
    _open_to_all(folder)


def _below_top(path: str) -> Path:
    return Path(path).relative_to(TOP)


def _outermost(files: Iterable[Bind]) -> list[Bind]:
    """Omits files within other files, so that nothing is copied twice."""
    found = {bind.target: bind for bind in files}
    return [bind for target, bind in found.items() if not any(str(above) in found for above in Path(target).parents)]


def _not_copied(folder: str, names: list[str]) -> list[str]:
    paths = {name: Path(folder, name) for name in names}
    return [
        name
        for name, path in paths.items()
        if name == "__pycache__" or not (path.is_symlink() or path.is_file() or path.is_dir())
    ]


def _open_to_all(folder: Path) -> None:
    """Gives every user the owner's rights to read and run the files, because the bot may run as another user."""
    for at, folders, files in os.walk(folder):
        os.chmod(at, 0o755)
        for path in (Path(at, name) for name in (*folders, *files)):
            if not path.is_symlink() and path.is_file():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
