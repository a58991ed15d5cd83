"""The valid values of a stored run. Opening a run checks them, and later code relies on that."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, get_args

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from bourre.record import Format
from bourre.rules.actions import Fault
from bourre_referee.contest.stages import is_match_id
from bourre_referee.model.spec import Level
from bourre_referee.model.stored import HOST, ORGANISER
from bourre_referee.text.names import printable, shorten

UNSOUND = ("unsound", "greater_than_equal", "less_than_equal")
"""Pydantic's kinds of errors for invalid values of the right type."""
SHOWN = 80
"""The most characters of a value in an error message."""
LONGEST_WORDS = 300
"""The most characters of a name. A bot may be named after its file, with up to 255."""

LONGEST_STORED_REASON = 10_000
"""The most characters of the reason why an attempt is void."""


def _checked(is_sound: Callable[[str], object], expected: str) -> AfterValidator:
    def check(text: str) -> str:
        if is_sound(text):
            return text
        shown = {"value": shorten(repr(text), SHOWN), "expected": expected}
        raise PydanticCustomError(UNSOUND[0], "{value} is no {expected}", shown)

    return AfterValidator(check)


def _pattern(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.ASCII).fullmatch


def _is_words(text: str) -> bool:
    return len(text) <= LONGEST_WORDS and printable(text) == text


def _is_bot_name(text: str) -> bool:
    """Whether this is a valid bot's name, which is also the name of a folder."""
    return _is_words(text) and "/" not in text and text not in ("", ".", "..")


Words = Annotated[str, _checked(_is_words, f"printable text of up to {LONGEST_WORDS} characters")]
BotName = Annotated[str, _checked(_is_bot_name, "name of a bot")]
Reason = Annotated[
    str,
    _checked(lambda text: len(text) <= LONGEST_STORED_REASON, f"text of up to {LONGEST_STORED_REASON:,} characters"),
]
MatchId = Annotated[str, _checked(is_match_id, "id of a match")]
RuleId = Annotated[str, _checked(_pattern(r"R\d{1,2}\.\d{1,2}"), "id of a rule")]
FaultKind = Annotated[str, _checked({*Fault}.__contains__, "kind of fault")]
LevelName = Annotated[str, _checked({*Level}.__contains__, "level of isolation")]
Voider = Annotated[str, _checked((HOST, ORGANISER).__contains__, "one who can void a match")]
FormatName = Annotated[str, _checked(get_args(Format).__contains__, "format of a match")]
Sha256 = Annotated[str, _checked(_pattern("[0-9a-f]{64}"), "number of 64 hexadecimal digits")]
Digits = Annotated[str, _checked(_pattern(r"-?\d{1,4000}"), "number of chips")]
Count = Annotated[int, Field(ge=0, le=2**53)]
Ordinal = Annotated[int, Field(ge=1, le=10**9)]
Milliseconds = Annotated[float, Field(ge=0, le=2**53)]
