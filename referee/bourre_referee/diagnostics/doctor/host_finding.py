"""What the doctor finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried on this machine."""

    check: str
    ok: bool
    told: str
    """What there is, or what is missing and why."""
    mend: str = ""
    """What to do about it; empty when all is well."""
    needed: bool = False
    """Whether no contest at all can be played without it."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found."""

    findings: tuple[Finding, ...]
    level: str
    """The level of isolation that `best` comes to here."""

    @property
    def playable(self) -> bool:
        """Whether a contest can be played, be it without isolation."""
        return all(finding.ok for finding in self.findings if finding.needed)
