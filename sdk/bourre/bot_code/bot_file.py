"""Finds and loads the class of a bot from its author's file."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, chdir, nullcontext
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from zlib import crc32

from bourre.bot import Bot
from bourre.bot_code.did_you_mean import did_you_mean
from bourre.bot_code.import_isolation import isolate_imports
from bourre.bot_code.source_place import words_of
from bourre.rules.errors import BourreError

_PREFIX = "bourre_bot_"
"""The prefix of the module names of bots."""


class BotFileError(BourreError):
    """No bot can be loaded from a file. The message names the file, the line if known, and the fix."""


def find(word: str, folders: Sequence[Path]) -> str:
    """Returns the path for a word that is a path (`bots/mine.py`) or the name of a bot in these folders (`tight`).

    A word with a `/` or a suffix is a path and may continue with `:Class`. `check_file` checks it later. `NAME` means
    `NAME.py` or `NAME_bot.py` in the first folder that has it. Raises BotFileError, which lists the known names.
    """
    name = word.partition(":")[0]
    if "/" in name or Path(name).suffix:
        return word
    if not word:
        raise BotFileError("A bot's name is empty.\nhint: pass files or names of example bots, separated by commas")
    for folder in folders:
        for file in (f"{word}.py", f"{word}_bot.py"):
            if (folder / file).is_file():
                return str(folder / file)
    if Path(word).exists():
        return word
    raise _no_such_bot(word, folders)


def _no_such_bot(word: str, folders: Sequence[Path]) -> BotFileError:
    """Makes the error for an unknown bot, with the known names and an example of a path."""
    name, colon, wanted = word.partition(":")
    files = (path for folder in folders for path in folder.glob("*.py") if not path.stem.startswith("test_"))
    known = sorted({path.stem.removesuffix("_bot") for path in files})
    examples = f"Example bots: {', '.join(known)}." if known else "No example bots are here."
    told = " ".join(filter(None, (f"Unknown bot {word!r}.", did_you_mean(name, known), examples)))
    return BotFileError(f"{told}\nhint: for a file, pass its path, such as ./{name}.py{colon}{wanted}")


def check_file(file: Path) -> None:
    """Raises BotFileError unless this is a file."""
    if file.is_dir():
        raise BotFileError(f"{file} is a folder.\nhint: pass the bot's file, such as {file / 'bot.py'}")
    if not file.is_file():
        raise BotFileError(f"No file {str(file)!r}.\nhint: pass the path of a bot's file")


def load(path: str) -> type[Bot]:
    """Runs this file and returns its subclass of Bot; `PATH:Class` picks one of several.

    Raises BotFileError if the file cannot be loaded or the choice is not clear.
    """
    file, _, wanted = path.partition(":")
    bots = _bots(_module(Path(file)))
    if not bots:
        raise BotFileError(f"{file} has no bot in it.\nhint: add a class that derives from bourre.Bot")
    choice = " or ".join(f"{file}:{bot.__name__}" for bot in bots)
    chosen = [bot for bot in bots if wanted in ("", bot.__name__)]
    if not chosen:
        raise BotFileError(f"{file} has no bot {wanted!r}.\nhint: use {choice}")
    if len(chosen) > 1:
        raise BotFileError(f"{file} has {len(bots)} bots in it.\nhint: use {choice}")
    return chosen[0]


def beside_file(module: str) -> AbstractContextManager[None]:
    """Inside, relative paths start at the folder of this bot's file, as in a contest. Other modules change nothing."""
    file = getattr(sys.modules.get(module), "__file__", None) if module.startswith(_PREFIX) else None
    return chdir(Path(file).parent) if file else nullcontext()


def _bots(module: ModuleType) -> list[type[Bot]]:
    """Returns the bots that this module defines, without imports, aliases and the base classes of its bots."""
    here = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    ]
    leaves = [bot for bot in here if not any(other is not bot and issubclass(other, bot) for other in here)]
    return list(dict.fromkeys(leaves))


def _module(file: Path) -> ModuleType:
    check_file(file)
    folder = file.parent.resolve()
    name = f"{_PREFIX}{file.stem}_{crc32(bytes(folder)):08x}"  # two folders may each have a bot.py
    spec = spec_from_file_location(name, folder / file.name)
    if spec is None or spec.loader is None:
        raise BotFileError(f"{file} is not a Python file: its name does not end in .py.\nhint: use --command")
    module = module_from_spec(spec)
    if str(folder) not in sys.path:
        sys.path.append(str(folder))  # for imports in functions; last, or a copy.py would be everybody's copy
    folders = {Path(str(bot.__file__)).parent for loaded, bot in sys.modules.items() if loaded.startswith(_PREFIX)}
    try:
        sys.modules[name] = module  # where dataclasses and pickle look for it
        with isolate_imports(folder, folders - {folder}), beside_file(name):
            spec.loader.exec_module(module)
    except SystemExit as error:
        hint = 'run MyBot only under `if __name__ == "__main__":`'
        raise BotFileError(f"{file} ends the program when it is loaded.\nhint: {hint}") from error
    except Exception as error:
        words = f"{type(error).__name__}: {error.msg}" if isinstance(error, SyntaxError) else words_of(error)
        raise BotFileError(f"{_place(file, error)}: {words}") from error
    return module


def _place(file: Path, error: Exception) -> str:
    """Returns the file and its last running line."""
    here = str(file.parent.resolve() / file.name)
    if isinstance(error, SyntaxError):
        return f"{file if error.filename in (None, here) else error.filename}, line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == here]
    return f"{file}, line {lines[-1]}" if lines else str(file)
