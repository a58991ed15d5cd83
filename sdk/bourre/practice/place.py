"""Where in its author's file a bot went wrong."""

from __future__ import annotations

from inspect import unwrap
from pathlib import Path
from traceback import walk_tb

from bourre.bot import Bot


def raised_at(bot: Bot, error: BaseException) -> str:
    """File and line, the last in the bot's own module that this error went through; empty where there is none."""
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == type(bot).__module__
    ]
    return _place(*frames[-1]) if frames else ""


def written_at(bot: Bot, method: str) -> str:
    """File and line where this method begins; empty where it is no plain function."""
    code = getattr(unwrap(getattr(type(bot), method)), "__code__", None)
    return "" if code is None else f"{_place(code.co_filename, code.co_firstlineno)}, where {method} begins"


def _place(file: str, line: int) -> str:
    return f"{Path(file).name}, line {line}"
