"""Finds where in its author's file a bot went wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from inspect import unwrap
from io import StringIO
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType

from bourre.bot import Bot


def where_raised(bot: Bot, error: BaseException) -> str:
    """Returns file and line, the last in the bot's module that this error passed through; empty if there is none."""
    return where_raised_in(type(bot).__module__, error)


def where_raised_in(module: str, error: BaseException) -> str:
    """Returns file and line, the last in this module that the error passed through; empty if there is none."""
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == module
    ]
    return _place(*frames[-1]) if frames else ""


def where_defined(bot: Bot, method: str) -> str:
    """Returns file and line where this method begins; empty if it is not a plain function."""
    code = _code(bot, method)
    return "" if code is None else f"{_place(code.co_filename, code.co_firstlineno)}, where {method} begins"


def where_returned(bot: Bot, method: str, line: int) -> str:
    """Returns file and line where this method returned."""
    code = _code(bot, method)
    return "" if code is None else f"{_place(code.co_filename, line)}, where {method} returns"


@contextmanager
def record_returns(bot: Bot, method: str) -> Iterator[list[int]]:
    """Inside, collects the lines at which this method returns, and discards what the bot prints.

    Too slow for every decision: it is meant for one that is asked again. It does not see other threads.
    """
    lines: list[int] = []
    code = _code(bot, method)

    def enter(frame: FrameType, event: str, value: object) -> object:
        return leave if frame.f_code is code else None

    def leave(frame: FrameType, event: str, value: object) -> object:
        if event == "return":
            lines.append(frame.f_lineno)
        return leave

    before = sys.gettrace()
    sys.settrace(enter)  # type: ignore[arg-type]
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            yield lines
    finally:
        sys.settrace(before)


def _code(bot: Bot, method: str) -> CodeType | None:
    code = getattr(unwrap(getattr(type(bot), method)), "__code__", None)
    return code if isinstance(code, CodeType) else None


def _place(file: str, line: int) -> str:
    return f"{Path(file).name}, line {line}"
