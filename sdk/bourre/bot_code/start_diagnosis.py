"""Explains why a bot never said hello, by its output: the one diagnosis for its log, its author and its host."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from bourre.bot_code.error_mends import put_beside
from bourre.bot_code.printed_error import PrintedError, busy_frame, last_error
from bourre.bot_code.start_mends import CALL_RUN, StartedFile, explain_end, find_hiding, mend_for

LONGEST = 200
"""The most characters of a cause or a fix."""
_NODE_PACKAGE = re.compile(r"Cannot find (?:package|module) '([^'/.][^']*)'")
_CONNECT = "connect to BOURRE_ADDRESS, call Play, and first send a Hello with BOURRE_TOKEN"
_NOTES = ("[bourre", "bourre: warning: ")
"""The beginnings of lines that the referee and this package add to a bot's output."""
_UNKNOWN = StartedFile()


@dataclass(frozen=True, slots=True)
class StartDiagnosis:
    """Why a bot never started."""

    cause: str
    """One sentence without a full stop, with the author's file and line if known."""
    mend: str
    """The fix; empty if unknown."""

    def __str__(self) -> str:
        return f"{self.cause}. hint: {self.mend}" if self.mend else self.cause


def diagnose(printed: str, exit_status: int | None, seconds: float, file: StartedFile = _UNKNOWN) -> StartDiagnosis:
    """Returns why a bot did not say hello within these seconds. Without an exit status, it was still running.

    The result quotes the bot's output in one line, never in a command.
    """
    cause, mend = _silence(printed, seconds, file) if exit_status is None else _end(printed, exit_status, file)
    return StartDiagnosis(_one_line(cause), _one_line(mend))


def _silence(printed: str, seconds: float, file: StartedFile) -> tuple[str, str]:
    cause = f"it said no hello within {seconds:g} s"
    if place := busy_frame(printed):
        return (
            f"it was not ready within {seconds:g} s, still busy in {place}",
            "end the loop there, or do less before the last line, which must be reached within that time",
        )
    if (error := last_error(printed)) and _last_line(printed).startswith(error.kind):
        return _raised(error, file)  # a container may end long after the program in it
    return f"{cause}{_quote_last(printed)}", f"{CALL_RUN}; in other languages {_CONNECT}"


def _end(printed: str, status: int, file: StartedFile) -> tuple[str, str]:
    if error := last_error(printed):
        return _raised(error, file)
    if missing := _NODE_PACKAGE.search(printed):
        package = f"Node.js does not find the package {missing[1]}"
        return package, "run npm install in its folder, and add node_modules to files"
    if "can't open file" in printed:
        return _last_line(printed), put_beside("the file")
    if status == 0 and (found := explain_end(file)):
        return found
    cause = f"{ending(status)} before it said hello"
    if place := busy_frame(printed):
        return f"{cause}, in {place}", ""
    if status == 128 + signal.SIGKILL:
        return f"{cause}{_quote_last(printed)}", "use less memory at its start: the contest's memory_mib limits it"
    return f"{cause}{_quote_last(printed)}", "" if status else file.call


def _raised(error: PrintedError, file: StartedFile) -> tuple[str, str]:
    return find_hiding(error, file) or (str(error), mend_for(error, file))


def ending(status: int) -> str:
    """Describes the end of a program by its exit status, which is 128 plus the signal if one ended it."""
    number = status - 128
    if number in set(signal.Signals):
        return f"{signal.Signals(number).name} ended it"
    return f"it ended with status {status}"


def _quote_last(printed: str) -> str:
    last = _last_line(printed)
    return f", after printing: {last}" if last else ", and printed nothing"


def _last_line(printed: str) -> str:
    lines = (line.strip() for line in reversed(printed.splitlines()) if not line.startswith(_NOTES))
    return next(filter(None, lines), "")


def _one_line(text: str) -> str:
    line = "".join(character if character.isprintable() else " " for character in text[: LONGEST + 1])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
