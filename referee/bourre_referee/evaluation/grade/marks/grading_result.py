"""The result of one submission: its mark with the evidence, or the reason why it has none."""

from __future__ import annotations

from dataclasses import dataclass, field

from bourre.connection.log_line import SIGN
from bourre_referee.evaluation.grade.marks.marking import Mark, MarkEvidence
from bourre_referee.evaluation.packages.environments import Environment
from bourre_referee.model.spec import Level


@dataclass(frozen=True, slots=True)
class GradingResult:
    """A mark with its reasons, or the reason why there is none."""

    student: str
    pseudonym: str
    mark: Mark | None
    """The mark, or None if the grader failed, not the student."""
    trouble: str = ""
    """The reason why the bot did not play to the end, for the student."""
    failure: str = ""
    """The reason why there is no mark, for staff only."""
    practice: Practice | None = None
    review: tuple[str, ...] = ()
    """The review of its decisions in the practice deals, as lines. Empty if the plan has no review."""
    evidence: MarkEvidence = field(default_factory=lambda: MarkEvidence(()))
    folder: str = ""
    """The name of its folder, safe as a path."""
    id: str = ""
    """The student's id in the course system. Empty if unknown."""
    command: tuple[str, ...] = ()
    """The command that starts it from the folder above. Empty if it cannot be started."""
    level: Level | None = None
    """Its isolation level."""
    hidden_error: str = ""
    """Kind and place of its first error in the deals that decide the mark, for the student. Empty without one."""
    advice: tuple[str, ...] = ()
    """What the student should know of a bot that played: that it plays as if unchanged, or that it draws own dice."""
    environment: Environment | None = None
    """Its installed packages. None if it asks for none, or if the plan installs none."""
    ignored: str = ""
    """That its lock was not installed, and why. Empty if it was, or if there is none."""
    digest: str = ""
    """The hash of its files. Empty if they could not be read."""
    runs: str = ""
    """The name of the folder with its two runs. Empty if nothing was to be played."""
    blocked: str = ""
    """The first error by which the file system stopped the bot, for staff."""
    waiting: str = ""
    """The reason why it is marked on another day, for the student."""
    term: tuple[str, ...] = ()
    """What lateness costs and which version counts, as lines for the student."""
    less: float = 0.0
    """The points that lateness costs."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the student should know although the bot may have played: the SDK's warnings, then the advice."""
        by_sdk = (line.removeprefix(SIGN) for line in (self.practice.warnings if self.practice else ()))
        return (*(line for line in by_sdk if line.removeprefix("warning: ") not in self.trouble), *self.advice)

    @property
    def points(self) -> float | None:
        """The points with the penalty for lateness, or None without a mark."""
        return round(self.mark.points - self.less, 2) if self.mark else None


@dataclass(frozen=True, slots=True)
class Practice:
    """The bot's results in the practice deals."""

    evidence: MarkEvidence
    renege: tuple[str, ...]
    """The first renege: its place, the card and its rule, the hand and the legal cards. Empty without one."""
    printed: tuple[str, ...]
    """The last lines of the log of the first match: the bot's output, and the referee's notes."""
    start_failure: str = ""
    """The reason why the bot never started, with the fix. Empty if it started."""
    error: str = ""
    """The last error that the bot printed, with its file and line. Empty without one."""
    warnings: tuple[str, ...] = ()
    """What the SDK warned of, such as a method that is never called."""
