"""The sections of a contest file, with keys, defaults and limits. [[bots]] is in `bot_entries`."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from bourre_referee.contest.isolation_choice import LevelAsked


def _name(text: str) -> str:
    """Checks a name, which also serves as a folder's name and as an argument of commands."""
    if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,31}", text):
        return text
    raise PydanticCustomError("name", "must be 1 to 32 of the characters A-Z a-z 0-9 . _ - with no dot or hyphen first")


def _word(text: str) -> str:
    if text and "\0" not in text:
        return text
    raise PydanticCustomError("word", "must not be empty")


def _lists(value: object) -> object:
    if isinstance(value, list) and value and all(isinstance(line_up, list) for line_up in value):
        return value
    raise PydanticCustomError("line_ups", 'must be lists of names, [["ada", "bob"], ["ada", "cy"]]')


def _stakes(value: object) -> object:
    if isinstance(value, list) and 1 <= len(value) <= 64:
        return value
    raise PydanticCustomError("stakes", "must be 1 to 64 whole numbers such as [0, 1, 4]")


def _rating(value: object) -> object:
    if isinstance(value, list) and len(value) == 2:
        return tuple(value)
    raise PydanticCustomError("rating", "must be mu and sigma, such as [25.0, 1.0]")


Mu = Annotated[float, Field(ge=-1_000, le=1_000, allow_inf_nan=False)]
Sigma = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]
GivenRating = Annotated[tuple[Mu, Sigma], BeforeValidator(_rating)]
"""The rating that an anchor keeps."""
Name = Annotated[str, AfterValidator(_name)]
Word = Annotated[str, AfterValidator(_word)]
Limit = Annotated[int, Field(ge=1, le=86_400_000)]


class Section(BaseModel):
    """A section accepts only its own keys, without converting types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ContestSection(Section):
    """[contest]"""

    name: Name
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None
    archive: bool = False


class TableSection(Section):
    """[table]"""

    seats: int
    deals: Annotated[int, Field(ge=1, le=1_000_000)]
    format: Literal["session", "duplicate"] = "session"
    tables: Annotated[int, Field(ge=1, le=1024)] | None = None
    fresh: bool = True
    stakes: Annotated[list[Annotated[int, Field(ge=0, le=1_000_000)]], BeforeValidator(_stakes)] | None = None


class RulesSection(Section):
    """[rules]: the preset, and any house rules that override it."""

    model_config = ConfigDict(extra="allow")

    preset: str = "limit"


class ScheduleSection(Section):
    """[schedule]"""

    kind: Literal["round-robin", "gauntlet", "line-ups"] = "round-robin"
    rounds: Annotated[int, Field(ge=1, le=100_000)] | None = None
    bot: Name | None = None
    line_ups: Annotated[list[list[Name]], BeforeValidator(_lists), Field(min_length=1, max_length=4096)] | None = None
    repeats: Annotated[int, Field(ge=1, le=100_000)] | None = None
    adaptive: Annotated[int, Field(ge=1, le=1_000)] | None = None


class ClockSection(Section):
    """[clock]"""

    start_ms: Limit = 10_000
    decision_ms: Limit = 1_000
    bank_ms: Annotated[int, Field(ge=0, le=86_400_000)] = 5_000
    connect_ms: Limit = 600_000
    match_ms: Limit = 600_000
    reconnect_ms: Annotated[int, Field(ge=0, le=86_400_000)] = 5_000


class FaultsSection(Section):
    """[faults]"""

    max: Annotated[int, Field(ge=1, le=1_000_000)] = 10


class IsolationSection(Section):
    """[isolation]"""

    level: LevelAsked = "best"
    memory_mib: Annotated[int, Field(ge=64, le=1_048_576)] = 512
    processes: Annotated[int, Field(ge=16, le=32_768)] = 64
    disk_mib: Annotated[int, Field(ge=1, le=1_048_576)] = 64
    image: Word | None = None
