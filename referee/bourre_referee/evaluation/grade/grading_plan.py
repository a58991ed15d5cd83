"""The plan of an assignment: what it asks for, and what earns points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.model.spec import Clock

SUBMISSION = "submission"
"""The name of a student's bot in every record, which never holds a student's name."""


@dataclass(frozen=True, slots=True)
class StaffBot:
    """A bot of the staff, which never changes; submissions are measured against it."""

    name: str
    file: Path
    """An absolute path."""
    example: str | None = None
    """The name of the example bot, if it is one and students have it too."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Points for winning fast enough, in chips per 100 deals, less the luck of the draw."""

    points: float
    per_100: float
    """All points are given from this rate on."""
    against: str | None = None
    """The staff bot that the submission is compared with; None: its own chips count."""
    zero_at: float | None = None
    """From this rate up to `per_100` the points grow linearly; None: all or nothing."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """Points for what a bot never does wrong in any deal; each is all or nothing."""

    legal: float = 0.0
    """No renege."""
    no_faults: float = 0.0
    """No fault other than lateness."""
    on_time: float = 0.0
    """No late answer."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An assignment; the same plan and the same answers of a bot give the same mark."""

    name: str
    seed: int
    """Decides the cards, which students must not know."""
    practice_seed: int
    """Decides the cards of the practice deals, on which students see their mistakes."""
    minutes: float
    """The time limit of each of a submission's two contests."""
    seats: int
    deals: int
    """The least number of deals, each played in all seatings."""
    preset: str
    house: HouseRules
    clock: Clock
    max_faults: int
    isolation: IsolationAsked
    staff: tuple[StaffBot, ...]
    """Weakest first."""
    thresholds: tuple[Threshold, ...]
    conformance: Conformance
    folder: Path
    """The absolute path of the plan's folder."""
    launchers: tuple[str, ...]
    """The programs of this machine that a submission's command may begin with."""
    review: int = 0
    """How many of the worst decisions in the practice deals the feedback tells; it changes no mark."""

    @property
    def points(self) -> float:
        """The best possible mark."""
        conformance = self.conformance
        return sum(threshold.points for threshold in self.thresholds) + (
            conformance.legal + conformance.no_faults + conformance.on_time
        )
