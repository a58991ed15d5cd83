"""The sections of a ladder file: their keys, defaults and limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bourre_referee.contest.bot_entries import BotSection
from bourre_referee.contest.contest_keys import (
    ClockSection,
    FaultsSection,
    IsolationSection,
    Name,
    RulesSection,
    Section,
)
from bourre_referee.contest.listen import ListenSection
from bourre_referee.ladder.log.ladder_names import BotName


class LadderSection(Section):
    """[ladder]"""

    name: Name
    owners_apart: bool = True


class LadderTableSection(Section):
    """[table]"""

    seats: int
    deals: Annotated[int, Field(ge=1, le=1_000_000)]


class EpochSection(Section):
    """[epoch]: whichever comes first ends it."""

    rooms: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    hours: Annotated[float, Field(gt=0, le=8_784, allow_inf_nan=False)] = 24.0


class QuotasSection(Section):
    """[quotas]"""

    bots: Annotated[int, Field(ge=2, le=100_000)] = 1_000
    bots_per_owner: Annotated[int, Field(ge=1, le=100_000)] = 3
    versions_per_day: Annotated[int, Field(ge=1, le=100_000)] = 10
    connections: Annotated[int, Field(ge=1, le=100_000)] = 2_000
    challenges_per_day: Annotated[int, Field(ge=0, le=100_000)] = 10


class BoardSection(Section):
    """[board]"""

    tau: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.008
    unseen_days: Annotated[float, Field(gt=0, le=3_660, allow_inf_nan=False)] = 14.0


class BenchingSection(Section):
    """[benching]"""

    fault_share: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.2
    games: Annotated[int, Field(ge=1, le=100_000)] = 20


class StaffSection(BotSection):
    """[[staff]]: a bot of the host; with a rating, it is an anchor of the scale."""

    name: BotName


SECTIONS: dict[str, type[Section]] = {
    "ladder": LadderSection,
    "table": LadderTableSection,
    "rules": RulesSection,
    "clock": ClockSection,
    "faults": FaultsSection,
    "isolation": IsolationSection,
    "listen": ListenSection,
    "epoch": EpochSection,
    "quotas": QuotasSection,
    "board": BoardSection,
    "benching": BenchingSection,
    "staff": StaffSection,
}
"""The sections of a ladder file, by name."""
