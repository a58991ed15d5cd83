"""The whole examination."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.diagnostics.doctor.host_checks import host
from bourre_referee.diagnostics.doctor.host_finding import Report
from bourre_referee.diagnostics.doctor.isolation_checks import isolation
from bourre_referee.model.spec import Level


def examine(folder: Path) -> Report:
    """Tries everything; runs would be kept in this folder."""
    findings = (*host(folder), *isolation())
    boxed = any(finding.ok for finding in findings if finding.check == "box")
    return Report(findings, Level.BWRAP if boxed else Level.NONE)
