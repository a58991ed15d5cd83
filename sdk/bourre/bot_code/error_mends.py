"""Suggests a fix for a Python error by its kind and message, at a bot's start and in a game alike."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from inspect import getattr_static, signature
from types import FunctionType

from bourre.bot import METHODS, Bot

_NO_FILE = re.compile(r"No such file or directory: '(?:[^']*/)?([^/']+)'")
_MISSING = re.compile(r"No module named '(\w+)")
_UNKNOWN_NAME = re.compile(r"name '(\w+)' is not defined")
_WRONG_COUNT = re.compile(r"(\w+)\.(\w+)\(\) (?:takes|missing) ")
_ONE_TOO_MANY = re.compile(r"\w+\.(\w+)\(\) takes 1 positional argument but 2 were given")


def mend_of(kind: str, message: str, bot: type[Bot] = Bot) -> str:
    """Returns the fix for an error of this kind and message, by a bot of this class if known; empty if unknown."""
    if "Did you mean" in message:
        return ""
    if missing := _NO_FILE.search(message):
        return put_beside(missing[1])
    if missing := _MISSING.search(message):
        return install_hint(missing[1])
    if "Read-only file system" in message:
        return "use a folder of tempfile, because the bot's folder is read-only"
    if (unknown := _UNKNOWN_NAME.search(message)) and unknown[1] in sys.stdlib_module_names:
        return f"begin the file with import {unknown[1]}"
    if kind == "TypeError":
        return _parameters(message, bot)
    return _MENDS.get(kind, "")


def put_beside(name: str) -> str:
    """Returns the fix for a file that the bot does not have."""
    return f"put {name} beside the bot, and hand in both as a zip (in a contest file: list both in files)"


def install_hint(module: str) -> str:
    """Returns the fix for a module that is neither a file of the bot nor installed."""
    return f"install the package {module} where bourre is installed, or put {module}.py beside the bot"


def _parameters(message: str, bot: type[Bot]) -> str:
    """Returns the first lines of the methods that were defined without `self` or with other parameters."""
    if (wrong := _WRONG_COUNT.search(message)) and wrong[1] != "Bot" and wrong[2] in METHODS:
        others = [name for name in _misdefined(bot) if name != wrong[2]]
        return f"write {' and '.join(map(_first_line, [wrong[2], *others]))}"
    if wrong := _ONE_TOO_MANY.search(message):
        return f"write self as the first parameter of {wrong[1]}"
    return ""


def _misdefined(bot: type[Bot]) -> Iterator[str]:
    """Yields the methods of a class that cannot be called with the parameters of Bot."""
    for name in METHODS:
        method = getattr_static(bot, name)
        if isinstance(method, FunctionType):
            try:
                signature(method).bind(*signature(getattr(Bot, name)).parameters)
            except TypeError:
                yield name


def _first_line(method: str) -> str:
    return f"def {method}({', '.join(signature(getattr(Bot, method)).parameters)}):"


_MENDS = {
    "BlockingIOError": "start no more processes: the contest's limit on them is reached",
    "EOFError": "remove input(), because nobody types in a contest",
    "FileNotFoundError": put_beside("the file"),
    "IndentationError": "correct this line",
    "IndexError": "compare the index with len() first: a hand has five cards at most, and one less after each trick",
    "MemoryError": "use less memory: the contest's memory_mib limits it",
    "SyntaxError": "correct this line",
    "SystemExit": "return an answer instead of exiting, because the bot must play until the contest ends it",
    "TabError": "correct this line",
}
