"""What the doctor found, in words and as a document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from bourre_referee.diagnostics.doctor.host_finding import Finding, Report


def lines(report: Report) -> Iterator[str]:
    """One line for each finding, its mend below it, and what follows from all."""
    for finding in report.findings:
        yield f"{'ok' if finding.ok else _absent(finding):<7} {finding.check:<15} {finding.told}"
        if finding.mend:
            yield f"{'':<23} -> {finding.mend}"
    yield ""
    yield _summary(report)


def document(report: Report) -> str:
    """One JSON document."""
    found = {
        "playable": report.playable,
        "level": report.level,
        "checks": [asdict(finding) for finding in report.findings],
    }
    return json.dumps(found, indent=2)


def _absent(finding: Finding) -> str:
    return "MISSING" if finding.needed else "absent"


def _summary(report: Report) -> str:
    if not report.playable:
        return "no contest can be played here: mend what is MISSING"
    if report.level == "none":
        return "contests can be played here, without isolation: with trusted bots only"
    return f"contests can be played here; bots are kept apart at level {report.level}"
