"""A report of `bourre check` as text, as JSON and as JUnit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import indent

from bourre.rules.house import PRESETS
from bourre_referee.evaluation.check.check_report import Check, Finding, Report, Verdict
from bourre_referee.export.junit import JUnitCase, junit_text
from bourre_referee.text.names import printable

_FIELDS = ("rule", "where", "hand", "legal", "cost", "mend", "again")
"""Of a finding, in the order in which they are told, after what it is."""


def report_lines(report: Report) -> Iterator[str]:
    """One line for each check, and under a check that did not pass what was found."""
    under = "all presets" if len(report.presets) == len(PRESETS) else ", ".join(report.presets)
    told = f"{report.deals} deals under {under}, seed {report.seed}, isolation {report.isolation}"
    yield f"{printable(report.bot)}: {told}"
    yield ""
    for check in report.checks:
        yield from check_lines(check)
    if report.printed and not any(finding.printed for check in report.checks for finding in check.findings):
        yield ""
        yield "it printed first:"
        yield indent(report.printed, "  | ")
    yield ""
    yield _conclusion(report)


def check_lines(check: Check) -> Iterator[str]:
    """The verdict, how it came out, and where it came out badly what was asked; then the findings."""
    told = check.summary
    if check.findings:
        told = check.title + (f": {check.summary}" if check.summary != check.findings[0].what else "")
    yield f"{check.verdict:8}{check.name:12}{printable(told)}"
    for finding in check.findings:
        yield from (f"        {line}" for line in finding_lines(finding))
    if more := check.times - len(check.findings):
        yield f"        and {more} more"


def finding_lines(finding: Finding) -> Iterator[str]:
    """Everything about one finding."""
    yield f"- {printable(finding.what)}"
    for field in _FIELDS:
        text = getattr(finding, field)
        if text and (field != "rule" or text not in finding.what):
            yield f"  {field:6} {printable(text)}"
    if finding.printed:
        yield "  printed"
        yield from (f"    | {line}" for line in finding.printed.splitlines())


def _conclusion(report: Report) -> str:
    def names(verdict: Verdict) -> list[str]:
        return [check.name for check in report.checks if check.verdict == verdict]

    warned = f"; worth a look: {', '.join(names(Verdict.WARNED))}" if names(Verdict.WARNED) else ""
    if report.failed:
        return f"failed: {', '.join(names(Verdict.FAILED))}{warned}"
    return f"passed: ready for a contest{warned}"


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
