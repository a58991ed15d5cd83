"""Prints a bot's error to its log: first the author's own line and the cause, then the traceback."""

from __future__ import annotations

import linecache
import sys
import traceback
from types import FrameType

from bourre.bot import METHODS, Bot
from bourre.bot_code.decisions import BotError
from bourre.bot_code.source_place import frames_in, place, where_defined, words_of
from bourre.connection.log_line import log_line
from bourre.messages import Ask
from bourre.rules.cards import show

_LEAST_RESERVE = 0.1
"""With fewer seconds of reserve time than this, it counts as used up."""


def print_error(bot: Bot | type[Bot], error: BaseException, asked: str) -> None:
    """Prints on stderr the error that a bot raised in this method, with a traceback that begins in its own file."""
    kind = bot if isinstance(bot, type) else type(bot)
    own = frames_in(kind.__module__, error)
    words = error.reason if isinstance(error, BotError) else words_of(error, kind)
    print(log_line(": ".join(filter(None, (_place(kind, error, asked), words)))), file=sys.stderr)
    if not isinstance(error, BotError):
        traceback.print_exception(type(error), error, own[0] if own else error.__traceback__)
    sys.stderr.flush()


def print_late(kind: type[Bot], ask: Ask, frame: FrameType, seconds: float) -> None:
    """Prints on stderr the line of the bot's file that runs when the time of this decision is over.

    Prints nothing if no line of that file runs.
    """
    inner: FrameType | None = frame
    while inner and inner.f_globals.get("__name__") != kind.__module__:
        inner = inner.f_back
    if inner:
        asked = str(ask.view.decision)
        file, number = inner.f_code.co_filename, inner.f_lineno
        words = (
            f"{asked} took longer than {_allowed(ask, seconds)}. hint: {_late_mend(linecache.getline(file, number))}"
        )
        print(log_line(f"{_line(file, number)}: {words}"), file=sys.stderr)
        print_missing_answer(ask, asked)


def _late_mend(code: str) -> str:
    """Returns the fix for a line of code that is running when the time is over."""
    if "sleep(" in code:
        return "remove the sleep"
    loops = code.split(maxsplit=1)[:1] in (["while"], ["for"])
    what = "leave this loop sooner, by break or return" if loops else "make that line quicker, or leave its loop sooner"
    return f"{what}: self.seconds_left() says how long it may take"


def _allowed(ask: Ask, seconds: float) -> str:
    """Describes the seconds for a decision, and how many of them were the match's reserve time."""
    reserve = ask.bank_ms / 1000
    if 0 < ask.match_ms <= seconds * 1000:
        return f"the {seconds:.3g} s that were left for the match"
    if reserve < _LEAST_RESERVE:
        return f"{seconds:.3g} s, and no reserve time was left"
    return f"{seconds:.3g} s, of which {reserve:.3g} s were reserve time for the match"


def print_missing_answer(ask: Ask, asked: str) -> None:
    """Prints on stderr the decision without an answer, so that the author finds it in the match."""
    view = ask.view
    print(
        f"bourre: no answer to {asked} in deal {view.deal} at table {ask.table}: seat {view.seat}, "
        f"hand {show(view.hand)}, trump {view.named}, "
        f"trick {show(view.trick) or '-'}, legal {show(view.legal)}. "
        "The referee acts for this seat (R8.5) and counts a fault.",
        file=sys.stderr,
        flush=True,
    )


def _place(kind: type[Bot], error: BaseException, asked: str) -> str:
    """Returns the file, line and code of the error, or else the beginning of the method, if known."""
    if own := frames_in(kind.__module__, error):
        return _line(own[-1].tb_frame.f_code.co_filename, own[-1].tb_lineno)
    return where_defined(kind, asked) if asked in (*METHODS, "__init__") else ""


def _line(file: str, number: int) -> str:
    """Returns the file, the line and its code."""
    code = linecache.getline(file, number).strip().rstrip(":")
    return f"{place(file, number)}, `{code}`" if code else place(file, number)
