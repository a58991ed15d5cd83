"""Finds the last error in a Python program's output: its place, its kind and its message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FRAME = re.compile(r' +File "([^"]+)", line (\d+)(,? in .+)?')
_ERROR = re.compile(r"([A-Za-z_][\w.]*)(?:: (.*))?")
UNANSWERED = "bourre: no answer to "
"""How the SDK's line about a decision without an answer begins, after the error."""
_TRACEBACK = "Traceback (most recent call last):"
_STACK = "(most recent call first):"
_NO_UTF_8 = re.compile(r"SyntaxError: Non-UTF-8 code .* in file (.+) on line (\d+),")
"""An error without a frame, which names the file in its message."""
_OF_GROUP = re.compile(r"^  (?:\| |\+ Exception Group )")
"""The beginning of each line of the outermost error of an exception group."""
_IMPORTED_FROM = re.compile(r" \(/[^)]*\)")
_PACKAGE = re.compile(r".*/(?:site|dist)-packages/")
_SDK = re.compile(r"(?:.*/(?:sdk|(?:site|dist)-packages)/)?bourre(?:_seats|_lab)?/")
"""The SDK's files, also in a sandbox and in compiled code, whose files have no folder."""
_PYTHON = re.compile(r"<|.*/lib(?:64)?/python3[^/]*/")


@dataclass(frozen=True, slots=True)
class Frame:
    """One place in a traceback."""

    file: str
    line: int

    @property
    def is_own(self) -> bool:
        """Whether the file is the author's: not one of Python, an installed package or this package."""
        return not (_PACKAGE.match(self.file) or _SDK.match(self.file) or _PYTHON.match(self.file))

    @property
    def is_of_python(self) -> bool:
        """Whether the file is a module of Python or of this package, which we trust to have no misspelt names."""
        return bool(_SDK.match(self.file) or (_PYTHON.match(self.file) and not _PACKAGE.match(self.file)))

    @property
    def folder(self) -> str:
        """The folder of the file; empty for a path without one."""
        return self.file.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return self.file.rpartition("/")[2]

    @property
    def module(self) -> str:
        """The name of the file's module."""
        stem = self.name.removesuffix(".py")
        return self.file.split("/")[-2] if stem == "__init__" and "/" in self.file else stem

    def __str__(self) -> str:
        return f"{self.name}, line {self.line}"


@dataclass(frozen=True, slots=True)
class PrintedError:
    """An error with its frames, the innermost last."""

    frames: tuple[Frame, ...]
    kind: str
    message: str

    @property
    def place(self) -> Frame | None:
        """The innermost frame in a file of the author, or else the innermost frame."""
        return _place_in(self.frames)

    def __str__(self) -> str:
        message = _IMPORTED_FROM.sub("", self.message) if self.kind == "ImportError" else self.message
        text = f"{self.kind}: {message}" if message else self.kind
        return f"{self.place}: {text}" if self.place else text


def first_failure(printed: str) -> PrintedError | None:
    """Returns the error of the first decision without an answer, or else the last error that was printed."""
    return last_error(printed.partition(UNANSWERED)[0])


def last_error(printed: str) -> PrintedError | None:
    """Returns the last error that was printed with a traceback."""
    found = None
    frames: list[Frame] = []
    for printed_line in printed.splitlines():
        line = _OF_GROUP.sub("", printed_line)
        if line.startswith(_TRACEBACK):
            frames = []
        elif frame := _FRAME.match(line):
            frames.append(Frame(frame[1], int(frame[2])))
        elif wrong := _NO_UTF_8.match(line):
            found = PrintedError((Frame(wrong[1], int(wrong[2])),), "SyntaxError", "the file is not UTF-8")
        elif frames and (error := _ERROR.fullmatch(line)):
            found = PrintedError(tuple(frames), error[1], (error[2] or "").strip())
            frames = []
    return found


def busy_frame(printed: str) -> Frame | None:
    """Returns the running frame that Python's `faulthandler` printed when a signal ended the program; None without.

    Without a current thread it is the main thread, which `faulthandler` prints last.
    """
    _, stack, printed_last = printed.rpartition("Current thread " if "Current thread " in printed else "\nThread 0x")
    if not stack or _STACK not in printed_last:
        return None
    frames = [Frame(found[1], int(found[2])) for line in printed_last.splitlines() if (found := _FRAME.match(line))]
    return _place_in(frames[::-1])


def _place_in(frames: Sequence[Frame]) -> Frame | None:
    """Returns the innermost frame in the folder of the author's outermost file, or else the innermost frame.

    So a package in an unusual folder of an image does not count as the author's.
    """
    own = [frame for frame in frames if frame.is_own]
    home = own[0].folder if own else ""
    beside = [frame for frame in own if frame.folder == home or (home and frame.folder.startswith(f"{home}/"))]
    return next(reversed(beside or frames), None)
