"""The sections of a plan file: their keys, defaults and limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bourre_referee.contest.contest_keys import (
    ClockSection,
    FaultsSection,
    IsolationSection,
    Name,
    RulesSection,
    Section,
    Word,
)

Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]
Points = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Chips = Annotated[float, Field(ge=-1_000_000, le=1_000_000, allow_inf_nan=False)]


class AssignmentSection(Section):
    """[assignment]"""

    name: Name
    seed: Seed
    practice_seed: Seed = 7
    minutes: Annotated[float, Field(gt=0, le=1440, allow_inf_nan=False)] = 10.0
    review: Annotated[int, Field(ge=0, le=10)] = 0
    launchers: Annotated[list[Word], Field(default_factory=lambda: ["python", "node"])]


class TableSection(Section):
    """[table]"""

    seats: int
    deals: Annotated[int, Field(ge=2, le=100_000)] = 100


class StaffSection(Section):
    """[[staff]]: a name, and an example bot or a file."""

    name: Name
    bot: Word


class MarkSection(Section):
    """[[mark]]: points for winning at this rate or faster."""

    points: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
    per_100: Chips
    against: Name | None = None
    zero_at: Chips | None = None


class ConformanceSection(Section):
    """[conformance]: points for the absence of mistakes."""

    legal: Points = 0.0
    no_faults: Points = 0.0
    on_time: Points = 0.0


SECTIONS: dict[str, type[Section]] = {
    "assignment": AssignmentSection,
    "table": TableSection,
    "rules": RulesSection,
    "clock": ClockSection,
    "faults": FaultsSection,
    "isolation": IsolationSection,
    "conformance": ConformanceSection,
    "staff": StaffSection,
    "mark": MarkSection,
}
