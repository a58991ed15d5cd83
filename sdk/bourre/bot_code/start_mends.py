"""Suggests a fix for a failed start, by the error and the started file."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import bourre
from bourre.bot_code.did_you_mean import CANNOT_IMPORT, closest
from bourre.bot_code.printed_error import Frame, PrintedError

CALL_RUN = 'end the file with if __name__ == "__main__": run(MyBot)'
_NEEDED = ("bourre", "google", "grpc")
"""The packages that a bot needs. A file of such a name hides the package."""
_MENTIONED = re.compile(r"(?:module|from) '(\w+)[\w.]*'|'(\w+)' is not a package")
_PATH = re.compile(r"['(](/[^')]+)[')]")
_NO_FILE = re.compile(r"No such file or directory: '(?:[^']*/)?([^/']+)'")
_MISSING = re.compile(r"No module named '(\w+)")
_UNKNOWN_NAME = re.compile(r"name '(\w+)' is not defined")
_BOT_CLASS = re.compile(r"^class (\w+)\([^)]*Bot\b", re.MULTILINE)
_MAIN_TYPO = re.compile(r"__name__\s*==\s*(['\"])(?!__main__\1)([^'\"\n]*)\1")
_LEAVES = re.compile(r"^[ \t]*((?:(?:sys|os)\.)?(?:_?exit|quit)\([^\n]*|raise SystemExit[^\n]*)", re.MULTILINE)
_NO_UTF_8 = re.compile(r"not UTF-8|unicode error|null bytes")


@dataclass(frozen=True, slots=True)
class StartedFile:
    """The file that a bot's command runs, as far as known."""

    name: str = ""
    text: str = ""
    """At least its beginning."""
    beside: Collection[str] = ()
    """The names of the files and folders in its folder, as the bot sees it."""
    unlisted: Mapping[str, str] = field(default_factory=dict)
    """The other files of that folder, which the bot does not have: each name with its path for `files`."""
    files: tuple[str, ...] = ()
    """The bot's files."""

    @property
    def call(self) -> str:
        """The last line that calls `run` for the file's class."""
        classes = _BOT_CLASS.findall(self.text)
        return CALL_RUN.replace("MyBot", classes[-1]) if classes else CALL_RUN

    def line_with(self, names: Iterable[str]) -> str:
        """Returns the hint that adds one of these names to the bot's files; empty if none of them is unlisted."""
        path = next((self.unlisted[name] for name in names if name in self.unlisted), None)
        return f"set files = {json.dumps([*self.files, path], ensure_ascii=False)}" if path else ""

    def place(self, found: re.Match[str]) -> str:
        """Returns the line of a match in the text."""
        return str(Frame(self.name, self.text.count("\n", 0, found.start(1)) + 1))


def find_hiding(error: PrintedError, file: StartedFile) -> tuple[str, str] | None:
    """Returns the cause and the fix if Python loaded a file of the author in place of a module of the same name."""
    callers = zip(error.frames, error.frames[1:], strict=False)
    loaded = {inner.module for outer, inner in callers if inner.is_own and not outer.is_own}
    mentioned = _MENTIONED.search(error.message)
    if mentioned and (module := mentioned[1] or mentioned[2]):
        paths = (Frame(path, 0) for path in _PATH.findall(error.message))
        beside = {f"{module}.py", module} & set(file.beside)
        innermost = error.frames[-1]
        in_another = innermost.is_of_python and innermost.module != module  # whose names are right
        if beside or in_another or any(path.is_own for path in paths):
            loaded.add(module)
    return next(filter(None, map(explain_hiding, sorted(loaded))), None)


def explain_hiding(module: str) -> tuple[str, str] | None:
    """Returns the cause and the fix for an author's file with this module's name; None if nothing needs the module."""
    if module in _NEEDED:
        return f"its own file {module}.py hides the package {module}", "rename the file"
    if module in sys.stdlib_module_names:
        return f"its own file {module}.py hides Python's module {module}", "rename the file"
    return None


def explain_end(file: StartedFile) -> tuple[str, str] | None:
    """Returns the cause and the fix for a program that ended without an error; None if its text does not show them."""
    if not file.name:
        return None
    hiding = (explain_hiding(module) for module in _NEEDED if f"{module}.py" in file.beside)
    if found := next(hiding, None):
        return found
    if not file.text.strip():
        return f"{file.name} is empty", "add a class that derives from bourre.Bot, and run it"
    if typo := _MAIN_TYPO.search(file.text):
        cause = f"{file.place(typo)}: __name__ is never {typo[2]!r}, so run is not called"
        return cause, 'use if __name__ == "__main__":'
    if not re.search(r"\brun\(", file.text):
        return f"{file.name} ended without a call of run", file.call
    if leaves := _LEAVES.search(file.text):
        return f"it ended before it said hello, by {leaves[1].strip()} in {file.place(leaves)}", "remove that line"
    return None


def mend_for(error: PrintedError, file: StartedFile) -> str:
    """Returns the fix for an error; empty if unknown."""
    if (missing := _NO_FILE.search(error.message)) and (line := file.line_with([missing[1]])):
        return line
    if missing := _MISSING.search(error.message):
        return file.line_with([f"{missing[1]}.py", missing[1]]) or install_hint(missing[1])
    if "Did you mean" in error.message:
        return ""
    if (unknown := CANNOT_IMPORT.search(error.message)) and unknown[2] == "bourre":
        return f"use {meant!r}" if (meant := closest(unknown[1], bourre.__all__)) else ""
    if "no known parent package" in error.message:
        return "remove the dot of the import"
    if _NO_UTF_8.search(error.message):
        return "save the file as UTF-8"
    if "Read-only file system" in error.message:
        return "use a folder of tempfile, because the bot's folder is read-only"
    if (unknown := _UNKNOWN_NAME.search(error.message)) and re.search(rf"\brun\( *{unknown[1]}\b", file.text):
        return file.call
    return _MENDS.get(error.kind, "")


def install_hint(module: str) -> str:
    """Returns the fix for a module that is neither a file of the bot nor installed."""
    return f"install the package {module} where bourre is installed, or put {module}.py beside the bot"


_MENDS = {
    "EOFError": "remove input(), because nobody types in a contest",
    "FileNotFoundError": "put the file beside the bot; if a contest file lists files, add it there",
    "IndentationError": "correct this line",
    "MemoryError": "use less memory, or set a larger memory_mib",
    "SyntaxError": "correct this line",
    "TabError": "correct this line",
}
