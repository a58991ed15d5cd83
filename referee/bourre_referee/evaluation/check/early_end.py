"""What to do about a bot that ended before it said hello, by the last that it printed."""

from __future__ import annotations

import re

_NO_MODULE = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '([\w.]+)'")
_UNREADABLE = ("SyntaxError", "IndentationError", "TabError")
_ERROR = re.compile(r"[\w.]*(?:Error|Exception|Interrupt)\b")
_BOX = "in a box it can read its own files alone: name what else it needs with --files"


def hint_at(printed: str) -> str:
    """The hint that suits these lines. What is in them decides about no command that anyone is told to run."""
    last = printed.rstrip().rpartition("\n")[2]
    if missing := _NO_MODULE.match(last):
        module = missing[1]
        return (
            f"its Python finds no module {module}: install the package that brings it where `bourre` is installed; if "
            "it is a file of yours, name it with --files, for a box shows a bot its own files alone"
        )
    if last.startswith(_UNREADABLE):
        return "Python cannot read the file: correct the line that is named below"
    if _ERROR.match(last):
        return f"correct the error that is named below; {_BOX}"
    return f"call `run(YourBot)` at the end of the file; {_BOX}"
