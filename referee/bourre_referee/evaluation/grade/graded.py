"""What came of one submission."""

from __future__ import annotations

from dataclasses import dataclass, field

from bourre_referee.evaluation.grade.marking import Evidence, Mark
from bourre_referee.evaluation.grade.practice_feedback import Practice
from bourre_referee.model.spec import Level


@dataclass(frozen=True, slots=True)
class Graded:
    """A mark with its reasons, or why there is none."""

    student: str
    pseudonym: str
    mark: Mark | None
    """None: the harness failed, not the student."""
    trouble: str = ""
    """Why the bot did not play to the end, in words for the student."""
    failure: str = ""
    """Why there is no mark, in words for staff alone."""
    practice: Practice | None = None
    evidence: Evidence = field(default_factory=lambda: Evidence(()))
    folder: str = ""
    """Of what is kept about it: a name made fit for a path."""
    command: tuple[str, ...] = ()
    """What starts it, from the folder above; empty when it cannot be started."""
    level: Level | None = None
    """How it was kept apart from the rest of the machine."""
