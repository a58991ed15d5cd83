"""Makes the folder that a bot's author starts from, out of files that come with the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import NamedTuple

from bourre.rules.errors import BourreError
from bourre_referee.starters.language import NODE, Language

HERE = Path(__file__).parent
PACKAGE = Path(__file__).parents[1]
CHECKOUT = Path(__file__).parents[3]
OPPONENTS = ("counter.py", "tight.py", "random_bot.py")
NAME_LENGTH = 32
"""Of the longest name that a contest file takes."""


class StarterError(BourreError):
    """A folder that cannot be made: says why, and the mend."""


class _File(NamedTuple):
    path: str
    text: str


def make(folder: Path, language: Language) -> None:
    """Makes this folder with a bot, its test and a contest; raises StarterError where something is there already."""
    files = [*_written(language, name_of(folder)), *_copied(language)]
    _check_free(folder)
    for file in files:
        place = folder / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.text, encoding="utf-8")


def name_of(folder: Path) -> str:
    """The name of this folder's bot in its contest: the folder's, as far as a contest file takes it."""
    word = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip(".-")[:NAME_LENGTH]
    taken = {Path(file).stem.removesuffix("_bot") for file in OPPONENTS}
    return f"my-{word}" if word in taken else word or "mybot"


def _check_free(folder: Path) -> None:
    mend = "name a new folder, as in `bourre new mybot`"
    if folder.is_dir() and any(folder.iterdir()):
        raise StarterError(f"{folder} is not empty: {mend}")
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise StarterError(f"{path} is a file: {mend}")


def _written(language: Language, name: str) -> Iterator[_File]:
    """What holds the bot's name."""
    for template in (HERE / language.name / "README.md", HERE / "contest.toml"):
        text = Template(template.read_text("utf-8")).substitute(name=name, entry=language.entry)
        yield _File(template.name, text)


def _copied(language: Language) -> Iterator[_File]:
    """What is the same for everybody: the bot, what it needs, and the example bots that it meets."""
    examples = _shipped("examples")
    for opponent in OPPONENTS:
        yield _File(f"opponents/{opponent}", (examples / opponent).read_text("utf-8"))
    if language is NODE:
        yield from _read(examples / "node", "*.js*", "sdk/*.js")
        yield from (_File(f"sdk/proto/{file.path}", file.text) for file in _read(_shipped("proto"), "**/*.proto"))
    else:
        yield from _read(HERE / language.name, "*.py")


def _read(folder: Path, *patterns: str) -> Iterator[_File]:
    """What matches; StarterError where nothing matches one of the patterns."""
    for pattern in patterns:
        paths = sorted(folder.glob(pattern))
        if not paths:
            raise StarterError(f"{folder}: there is no {pattern}, which comes with this package: install it anew")
        yield from (_File(path.relative_to(folder).as_posix(), path.read_text("utf-8")) for path in paths)


def _shipped(folder: str) -> Path:
    """A folder that the installed package holds, and a checkout beside it."""
    inside = PACKAGE / folder
    return inside if inside.is_dir() else CHECKOUT / folder
