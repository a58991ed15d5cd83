"""The lasting record of an assignment: each student's versions and marks. All sheets are made from it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.grade.plan.term_section import TimeSource

Finite = Annotated[float, Field(allow_inf_nan=False)]


class Stored(BaseModel):
    """A part of the record."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RecordedItem(Stored):
    """A part of a mark, with the reason for its points."""

    name: str
    points: Finite
    of: Finite
    found: str


class StoredRate(Stored):
    """Chips per 100 deals, with the 95 % interval if it is known."""

    per_100: Finite
    ci95: tuple[Finite, Finite] | None


class StoredRates(Stored):
    """A rate less the luck of the draw, and as it was."""

    less_luck: StoredRate
    as_it_was: StoredRate


class StoredPackages(Stored):
    """The packages that were installed for a submission, and the digest of their environment."""

    digest: str
    installed: tuple[str, ...]


class EarlierMark(Stored):
    """A mark that a later one of the same files replaced."""

    marked: datetime | None
    plan: str
    points: Finite
    of: Finite


class Version(Stored):
    """What a student handed in, and its mark."""

    digest: str = ""
    """The hash of the files. Empty if they could not be read."""
    handed_in: datetime | None = None
    time_from: TimeSource = "unknown"
    marked: datetime | None = None
    plan: str = ""
    """The hash of what decides a mark. Empty if unknown."""
    items: tuple[RecordedItem, ...] = ()
    """Empty without a mark."""
    trouble: str = ""
    warnings: tuple[str, ...] = ()
    failure: str = ""
    waiting: str = ""
    """The reason why it is marked on another day."""
    blocked: str = ""
    """The first error by which the file system stopped the bot."""
    ignored: str = ""
    """That its lock was not installed, and why."""
    isolation: str | None = None
    packages: StoredPackages | None = None
    deals: int = 0
    house_deals: int = 0
    reneges: dict[str, int] = {}
    faults: dict[str, int] = {}
    chips_per_100: dict[str, StoredRates] = {}
    """Its own rate, `all`, and its lead over each reference bot. Empty for a bot without a rank."""
    records: str = ""
    """The folder of its runs in `staff`."""
    earlier: tuple[EarlierMark, ...] = ()

    @property
    def points(self) -> float:
        """The points without a penalty."""
        return round(sum(item.points for item in self.items), 2)

    @property
    def of(self) -> float:
        """The best possible points."""
        return round(sum(item.of for item in self.items), 2)

    @property
    def first_marked(self) -> datetime | None:
        """When these files were first marked."""
        return self.earlier[0].marked if self.earlier else self.marked


class StudentRecord(Stored):
    """A student's versions, in the order in which `bourre grade` saw them."""

    student: str
    id: str = ""
    leaderboard_name: str = ""
    versions: tuple[Version, ...]


class MarksRecord(Stored):
    """The content of `marks.json`."""

    format: Literal[2] = 2
    """The version of this format. Earlier files have no version, and hold the marks of one call."""
    assignment: str
    seed: int
    seed_text: str
    """For programs that round large numbers."""
    practice_seed: int
    practice_seed_text: str
    submissions: tuple[StudentRecord, ...] = ()


def empty_record(plan: Plan) -> MarksRecord:
    """Returns the record of an assignment before anyone is marked."""
    return MarksRecord(
        assignment=plan.name,
        seed=plan.seed,
        seed_text=str(plan.seed),
        practice_seed=plan.practice_seed,
        practice_seed_text=str(plan.practice_seed),
    )
