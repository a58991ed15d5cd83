"""Says what mends a start that failed, from the error and the file that was started."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import bourre
from bourre.bot_code.did_you_mean import CANNOT_IMPORT, did_you_mean
from bourre.bot_code.printed_error import Frame, PrintedError

CALL_RUN = 'end the file with if __name__ == "__main__": run(MyBot)'
_NEEDED = ("bourre", "google", "grpc")
"""The packages that a bot needs: a file of such a name hides them, as one may hide a module of Python's own."""
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
    """The file that a bot's command runs, as far as it is known."""

    name: str = ""
    text: str = ""
    """Its beginning, at least."""
    beside: Collection[str] = ()
    """The names of the files and folders that it finds in its folder."""
    unlisted: Mapping[str, str] = field(default_factory=dict)
    """What lies there too, but is not among the bot's files: each name with its path as `files` would have it."""
    files: tuple[str, ...] = ()
    """The bot's files."""

    @property
    def call(self) -> str:
        """How the file calls `run` for its class, as the last of its lines."""
        classes = _BOT_CLASS.findall(self.text)
        return CALL_RUN.replace("MyBot", classes[-1]) if classes else CALL_RUN

    def line_with(self, names: Iterable[str]) -> str:
        """Returns the line that lists one of these names with the bot's files; empty if none lies there unlisted."""
        path = next((self.unlisted[name] for name in names if name in self.unlisted), None)
        return f"write files = {json.dumps([*self.files, path], ensure_ascii=False)}" if path else ""

    def place(self, found: re.Match[str]) -> str:
        """Names the line where something was found in the text."""
        return str(Frame(self.name, self.text.count("\n", 0, found.start(1)) + 1))


def find_hiding(error: PrintedError, file: StartedFile) -> tuple[str, str] | None:
    """Returns cause and mend if a file of the author has the name of a module, so that Python loaded it instead."""
    callers = zip(error.frames, error.frames[1:], strict=False)
    loaded = {inner.module for outer, inner in callers if inner.is_own and not outer.is_own}
    mentioned = _MENTIONED.search(error.message)
    if mentioned and (module := mentioned[1] or mentioned[2]):
        paths = (Frame(path, 0) for path in _PATH.findall(error.message))
        beside = {f"{module}.py", module} & set(file.beside)
        innermost = error.frames[-1]
        in_another = innermost.is_of_python and innermost.module != module  # where nothing is misspelt
        if beside or in_another or any(path.is_own for path in paths):
            loaded.add(module)
    return next(filter(None, map(explain_hiding, sorted(loaded))), None)


def explain_hiding(module: str) -> tuple[str, str] | None:
    """Returns cause and mend for a file of the author with this module's name; None if nothing needs the module."""
    if module in _NEEDED:
        return f"its own file {module}.py hides the package {module}", "rename the file"
    if module in sys.stdlib_module_names:
        return f"its own file {module}.py hides Python's module {module}", "rename the file"
    return None


def explain_end(file: StartedFile) -> tuple[str, str] | None:
    """Returns cause and mend for a program that ended without an error; None if its text does not show them."""
    if not file.name:
        return None
    hiding = (explain_hiding(module) for module in _NEEDED if f"{module}.py" in file.beside)
    if found := next(hiding, None):
        return found
    if not file.text.strip():
        return f"{file.name} is empty", "write a class that derives from bourre.Bot, and call run with it"
    if typo := _MAIN_TYPO.search(file.text):
        cause = f"{file.place(typo)}: __name__ is never {typo[2]!r}, so run is not called"
        return cause, 'write if __name__ == "__main__":'
    if not re.search(r"\brun\(", file.text):
        return f"{file.name} ended without a call of run", file.call
    if leaves := _LEAVES.search(file.text):
        return f"it ended before it said hello, as by {leaves[1].strip()} in {file.place(leaves)}", "remove it"
    return None


def mend_for(error: PrintedError, file: StartedFile) -> str:
    """Returns what mends an error; empty if the error says all that is known."""
    if (missing := _NO_FILE.search(error.message)) and (line := file.line_with([missing[1]])):
        return line
    if missing := _MISSING.search(error.message):
        return file.line_with([f"{missing[1]}.py", missing[1]]) or (
            f"install the package {missing[1]} where bourre is installed, or list {missing[1]}.py under files if it "
            "is a file of yours"
        )
    if "Did you mean" in error.message:
        return ""
    if (unknown := CANNOT_IMPORT.search(error.message)) and unknown[2] == "bourre":
        return did_you_mean(unknown[1], bourre.__all__)
    if "no known parent package" in error.message:
        return "write the import without the dot"
    if _NO_UTF_8.search(error.message):
        return "save the file as UTF-8"
    if "Read-only file system" in error.message:
        return "write to a folder of tempfile instead: its own folder is read-only"
    if (unknown := _UNKNOWN_NAME.search(error.message)) and re.search(rf"\brun\( *{unknown[1]}\b", file.text):
        return file.call
    return _MENDS.get(error.kind, "")


_MENDS = {
    "EOFError": "remove input(): nobody types in a contest",
    "FileNotFoundError": "list the file under files",
    "IndentationError": "correct this line",
    "MemoryError": "let it use less memory, or raise memory_mib",
    "SyntaxError": "correct this line",
    "TabError": "correct this line",
}
