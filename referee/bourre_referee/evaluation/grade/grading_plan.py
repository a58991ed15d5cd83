"""What an assignment asks and what it gives points for, as its plan file says it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.model.spec import Clock

SUBMISSION = "submission"
"""What a student's bot is called in every record: no name of a student stands there."""


@dataclass(frozen=True, slots=True)
class StaffBot:
    """A bot of the staff, which never changes: the yardstick."""

    name: str
    file: Path
    """Absolute."""
    example: str | None = None
    """What students call it, where they have it too: the name of an example bot."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Points for winning fast enough, in chips per 100 deals, less the luck of the draw."""

    points: float
    per_100: float
    """All points from here on."""
    against: str | None = None
    """The difference to this staff bot; None: what the submission wins itself, from all."""
    zero_at: float | None = None
    """From here to `per_100` the points grow evenly; None: all or nothing."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """Points for what a bot does not do, over all deals; each is all or nothing."""

    legal: float = 0.0
    """No renege."""
    no_faults: float = 0.0
    """Nothing that is a fault, but for lateness."""
    on_time: float = 0.0
    """No late answer."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An assignment; the same plan and the same answers of a bot give the same mark."""

    name: str
    seed: int
    """Decides the cards, which students must not know."""
    practice_seed: int
    """Decides the cards of the deals on which students are shown their mistakes."""
    minutes: float
    """How long each of the two contests of a submission may take."""
    seats: int
    deals: int
    """At least so many, each in all seatings."""
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
    """Where the plan stands, absolute."""

    @property
    def points(self) -> float:
        """The best mark there is."""
        conformance = self.conformance
        return sum(threshold.points for threshold in self.thresholds) + (
            conformance.legal + conformance.no_faults + conformance.on_time
        )
