"""Describes a bot's error and finds its place in the author's file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from inspect import unwrap
from io import StringIO
from traceback import walk_tb
from types import CodeType, FrameType, TracebackType

from bourre.bot import METHODS, Bot
from bourre.bot_code.decisions import BotError
from bourre.bot_code.did_you_mean import did_you_mean_for
from bourre.bot_code.error_mends import mend_of


def complaint(bot: Bot, error: BaseException, asked: str) -> str:
    """Describes the error that the bot raised in this method, with its line."""
    if isinstance(error, BotError):
        return error.reason
    method, line = asked, ""
    for frame, number in walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == type(bot).__module__:
            line = f" (line {number})"
            if frame.f_locals.get("self") is bot and frame.f_code.co_name in METHODS:
                method = frame.f_code.co_name
    return f"{method}{line} raised {words_of(error, type(bot))}"


def words_of(error: BaseException, bot: type[Bot] = Bot) -> str:
    """Returns kind and message of an error of this bot, with a suggestion for a misspelt name, or the fix if known."""
    text = f"{type(error).__name__}: {error}".removesuffix(": ")
    if meant := did_you_mean_for(error):
        return f"{text}. {meant}"
    mend = mend_of(type(error).__name__, str(error), bot)
    return f"{text}. hint: {mend}" if mend else text


def where_raised(bot: Bot, error: BaseException) -> str:
    """Returns the file and the last line in the bot's module that this error passed through; empty if none."""
    return where_raised_in(type(bot).__module__, error)


def where_raised_in(module: str, error: BaseException) -> str:
    """Returns the file and the last line in this module that the error passed through; empty if none."""
    frames = frames_in(module, error)
    return place(frames[-1].tb_frame.f_code.co_filename, frames[-1].tb_lineno) if frames else ""


def frames_in(module: str, error: BaseException) -> list[TracebackType]:
    """Returns the parts of an error's traceback in this module, the innermost last."""
    found, part = [], error.__traceback__
    while part:
        if part.tb_frame.f_globals.get("__name__") == module:
            found.append(part)
        part = part.tb_next
    return found


def where_defined(kind: type[Bot], method: str) -> str:
    """Returns the file and the first line of this method; empty unless it is a plain function."""
    code = _code(kind, method)
    return "" if code is None else f"{place(code.co_filename, code.co_firstlineno)}, where {method} begins"


def where_returned(bot: Bot, method: str, line: int) -> str:
    """Returns the file and the line of this method's return."""
    code = _code(type(bot), method)
    return "" if code is None else f"{place(code.co_filename, line)}, where {method} returns"


@contextmanager
def record_returns(bot: Bot, method: str) -> Iterator[list[int]]:
    """Inside, collects the lines at which this method returns, and discards the bot's output.

    It is too slow for every decision: use it for a repeated one. It does not see other threads.
    """
    lines: list[int] = []
    code = _code(type(bot), method)

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


def _code(kind: type[Bot], method: str) -> CodeType | None:
    code = getattr(unwrap(getattr(kind, method)), "__code__", None)
    return code if isinstance(code, CodeType) else None


def place(file: str, line: int) -> str:
    """Returns the name of a file without its folders, and the line."""
    return f"{os.path.basename(file)}, line {line}"
