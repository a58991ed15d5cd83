"""A report as one JSON document, and as cases of JUnit."""

from __future__ import annotations

import json
from dataclasses import asdict

from bourre_referee.evaluation.check.check_report import Check, Report, Verdict
from bourre_referee.evaluation.check.check_text import finding_lines
from bourre_referee.export.junit import JUnitCase, junit_text


def document(report: Report) -> str:
    """All of the report; `failed` says whether any check failed."""
    return json.dumps({"failed": report.failed, **asdict(report)}, ensure_ascii=False, indent=2)


def junit(report: Report) -> str:
    """One case for each check that was made."""
    cases = [_case(check, report.bot) for check in report.checks if check.verdict != Verdict.SKIPPED]
    return junit_text("bourre check", cases)


def _case(check: Check, bot: str) -> JUnitCase:
    told = "\n".join([check.summary, *(line for finding in check.findings for line in finding_lines(finding))])
    failed = check.verdict == Verdict.FAILED
    return JUnitCase(
        name=f"{check.name}: {check.title}",
        classname=bot,
        failure=told if failed else None,
        output="" if failed else f"{check.verdict}: {told}",
    )
