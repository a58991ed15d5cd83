"""Creates a starter folder in one of the languages, from files that come with the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import NamedTuple

from bourre.rules.errors import BourreError

HERE = Path(__file__).parent
PACKAGE = Path(__file__).parents[2]
CHECKOUT = Path(__file__).parents[4]
OPPONENTS = ("counter.py", "tight.py", "random_bot.py")
MAX_NAME_LENGTH = 32
"""The longest name that a contest file accepts."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of starters. Its templates are in the folder of that name."""

    name: str
    bot: str
    """The file that the author edits."""
    entry: str
    """The lines of a contest file that start the bot."""
    steps: tuple[str, ...]
    """Commands to try in the new folder, in this order."""


PYTHON = Language(
    name="python",
    bot="bot.py",
    entry='command = ["python", "bot.py"]  # with more files: files = ["bot.py", "brain.py"]',
    steps=(
        "python -m pytest",
        "bourre practice bot.py --against tight,random",
        "bourre check bot.py",
        "bourre run contest.toml",
    ),
)
NODE = Language(
    name="node",
    bot="bot.js",
    entry="""\
command = ["node", "bot.js"]
files = ["bot.js", "package.json", "sdk", "node_modules"]  # all files that it can read (`npm ci` creates the last)""",
    steps=("npm ci", "npm test", 'bourre check --command "node bot.js" --files .', "bourre run contest.toml"),
)
LANGUAGES = {language.name: language for language in (PYTHON, NODE)}


class StarterError(BourreError):
    """The folder cannot be created. The message gives the reason and a hint."""


class _StarterFile(NamedTuple):
    path: str
    text: str


def make(folder: Path, language: Language) -> None:
    """Creates this folder with a bot, its test and a contest. Raises StarterError if it exists and is not empty."""
    files = [*_render_files(language, name_of(folder)), *_package_files(language)]
    check_free(folder, "bourre new mybot")
    for file in files:
        place = folder / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.text, encoding="utf-8")


def name_of(folder: Path) -> str:
    """Returns the bot's name in its contest: the folder's name, without characters that a contest file refuses."""
    word = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip(".-")[:MAX_NAME_LENGTH]
    taken = {Path(file).stem.removesuffix("_bot") for file in OPPONENTS}
    return f"my-{word}" if word in taken else word or "mybot"


def check_free(folder: Path, example: str) -> None:
    """Raises StarterError if something is in this folder, or in its way. The hint is the `example`."""
    hint = f"hint: pass a new folder, such as {example}"
    if folder.is_dir() and any(folder.iterdir()):
        raise StarterError(f"{folder} is not empty.\n{hint}")
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise StarterError(f"{path} is a file.\n{hint}")


def _render_files(language: Language, name: str) -> Iterator[_StarterFile]:
    """Yields the files that contain the bot's name, made from templates."""
    for template in (HERE / language.name / "README.md", HERE / "contest.toml"):
        text = Template(template.read_text("utf-8")).substitute(name=name, entry=language.entry)
        yield _StarterFile(template.name, text)


def _package_files(language: Language) -> Iterator[_StarterFile]:
    """Yields the files that are the same for all: the bot, its libraries, and its example opponents."""
    examples = _package_folder("examples")
    for opponent in OPPONENTS:
        yield _StarterFile(f"opponents/{opponent}", (examples / opponent).read_text("utf-8"))
    if language is NODE:
        yield from _read(examples / "node", "*.js*", "sdk/*.js")
        protos = _read(_package_folder("proto"), "**/*.proto")
        yield from (_StarterFile(f"sdk/proto/{file.path}", file.text) for file in protos)
    else:
        yield from _read(HERE / language.name, "*.py")


def _read(folder: Path, *patterns: str) -> Iterator[_StarterFile]:
    """Yields the matching files. Raises StarterError if a pattern matches none."""
    for pattern in patterns:
        paths = sorted(folder.glob(pattern))
        if not paths:
            raise StarterError(f"{folder}: {pattern}, a part of this package, is missing.\nhint: install bourre again")
        yield from (_StarterFile(path.relative_to(folder).as_posix(), path.read_text("utf-8")) for path in paths)


def _package_folder(folder: str) -> Path:
    """Returns a folder of the installed package, or of the checkout around it."""
    inside = PACKAGE / folder
    return inside if inside.is_dir() else CHECKOUT / folder
