"""Suggests a fix for a failed start, by the error and the started file."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import bourre
from bourre.bot_code.did_you_mean import CANNOT_IMPORT, closest
from bourre.bot_code.error_mends import install_hint, mend_of, put_beside
from bourre.bot_code.printed_error import Frame, PrintedError

_END = 'end the file with if __name__ == "__main__":'
CALL_RUN = f"{_END} run(MyBot)"
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
_WITH_DOT = re.compile(r"^\s*from\s+\.+(\w+)")
_IMPORT = re.compile(r"^from bourre import ([^(#\n]*[^(#\s])", re.MULTILINE)
_PYTHON_LINE = re.compile(r"^[ \t]*(?:class|def|import|from|return|if|for|while|print)\b.*[\w):]", re.MULTILINE)
"""A line that few texts have which are no programs."""
SAVE_AS_UTF_8 = "save the file as UTF-8: in VS Code, click the encoding in the bottom bar, then Save with Encoding"
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
        """The fix for a file without a call of `run`, with its classes and its import."""
        classes = _BOT_CLASS.findall(self.text) or ["MyBot"]
        call = f"{_END} run({classes[-1]})"
        if len(classes) > 1:
            call = f"{call}, or another of {', '.join(classes)}: a contest plays one"
        found = _IMPORT.search(self.text)
        if found is None or re.search(r"\brun\b|\*", found[1]):
            return call
        return f"change line {self.line_of(found)} to `from bourre import {found[1]}, run` and {call}"

    def line_with(self, names: Iterable[str]) -> str:
        """Returns the hint that adds one of these names to the bot's files; empty if none of them is unlisted."""
        path = next((self.unlisted[name] for name in names if name in self.unlisted), None)
        return f"set files = {json.dumps([*self.files, path], ensure_ascii=False)}" if path else ""

    def place(self, found: re.Match[str]) -> str:
        """Returns the line of a match in the text."""
        return str(Frame(self.name, self.line_of(found)))

    def line_of(self, found: re.Match[str]) -> int:
        """Returns the number of the line of a match in the text."""
        return self.text.count("\n", 0, found.start(1)) + 1


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
        return f"{file.name} is empty", "save your program in the editor, then hand in the file again"
    if typo := _MAIN_TYPO.search(file.text):
        cause = f"{file.place(typo)}: __name__ is never {typo[2]!r}, so run is not called"
        return cause, 'use if __name__ == "__main__":'
    if not re.search(r"\brun\(", file.text):
        return f"{file.name} ended without a call of run", file.call
    if leaves := _LEAVES.search(file.text):
        return f"it ended before it came to run, by {leaves[1].strip()} in {file.place(leaves)}", "remove that line"
    return None


def mend_for(error: PrintedError, file: StartedFile) -> str:
    """Returns the fix for an error; empty if unknown."""
    if (missing := _NO_FILE.search(error.message)) and (line := file.line_with([missing[1]])):
        return line
    if missing := _MISSING.search(error.message):
        return file.line_with([f"{missing[1]}.py", missing[1]]) or install_hint(missing[1])
    if (unknown := CANNOT_IMPORT.search(error.message)) and unknown[2] == "bourre":
        return f"use {meant!r}" if (meant := closest(unknown[1], bourre.__all__)) else ""
    if "no known parent package" in error.message:
        return _absolute_import(error, file)
    if _NO_UTF_8.search(error.message):
        return SAVE_AS_UTF_8
    if (unknown := _UNKNOWN_NAME.search(error.message)) and re.search(rf"\brun\( *{unknown[1]}\b", file.text):
        return file.call
    if error.kind in ("SyntaxError", "IndentationError") and file.text and not _PYTHON_LINE.search(file.text):
        return f"{file.name} is no Python program: hand in the file with your bot's class"
    return mend_of(error.kind, error.message)


def _absolute_import(error: PrintedError, file: StartedFile) -> str:
    """Returns the fix for an import with a dot: without the dot, and beside the file if that is not there."""
    lines = file.text.splitlines()
    at = error.place.line if error.place and error.place.name == file.name else 0
    found = _WITH_DOT.search(lines[at - 1]) if 0 < at <= len(lines) else None
    names = {f"{found[1]}.py", found[1]} if found else set()
    mend = "remove the dot of the import"
    if not found or names & set(file.beside):
        return mend
    return f"{mend}, then {file.line_with(names) or put_beside(f'{found[1]}.py')}"
