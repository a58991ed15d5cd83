"""Findings of `bourre doctor`, and its report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class HostFinding:
    """The result of one test on this machine."""

    check: str
    ok: bool
    told: str
    """The value found, or the missing part and the reason."""
    mend: str = ""
    """The fix. Empty if all is well."""
    needed: bool = False
    """Whether no contest can be played without it."""

    @classmethod
    def failed(cls, check: str, reason: str, *, needed: bool = False) -> HostFinding:
        """Returns the finding for this reason, whose hint is on a line of its own."""
        what, _, hint = reason.partition("\nhint: ")
        return cls(check, False, what.removesuffix("."), hint, needed)


@dataclass(frozen=True, slots=True)
class HostReport:
    """The findings, and their meaning for contests on this machine."""

    findings: tuple[HostFinding, ...]
    level: str
    """The isolation level that `best` means on this machine."""
    database: str = ""
    """The database, without its password, if that was checked instead of this machine."""

    @property
    def playable(self) -> bool:
        """Whether a contest can be played, even if only without isolation."""
        return all(finding.ok for finding in self.findings if finding.needed)


def lines(report: HostReport) -> Iterator[str]:
    """Yields a line for each finding, its fix below it, and a summary."""
    for finding in report.findings:
        yield f"{'ok' if finding.ok else _missing_label(finding):<7} {finding.check:<15} {finding.told}"
        if finding.mend:
            yield f"{'':<23} -> {finding.mend}"
    yield ""
    yield _summary(report)


def document(report: HostReport) -> str:
    """Writes the report as one JSON document."""
    found = {
        "playable": report.playable,
        **({"database": report.database} if report.database else {"level": report.level}),
        "checks": [asdict(finding) for finding in report.findings],
    }
    return json.dumps(found, indent=2)


def _missing_label(finding: HostFinding) -> str:
    return "MISSING" if finding.needed else "absent"


def _summary(report: HostReport) -> str:
    if report.database:
        return f"{report.database} {_can(report.playable)}"
    if not report.playable:
        return "no contest can be played here: fix the checks marked MISSING"
    if report.level == "none":
        return "contests can be played here without isolation, so only with trusted bots"
    return f"contests can be played here, with isolation level {report.level}"


def _can(playable: bool) -> str:
    return "can hold contests and ladders" if playable else "cannot hold contests: fix the checks marked MISSING"
