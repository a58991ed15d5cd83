"""The result of a check, with its verdict and findings, as text, JSON and JUnit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from textwrap import indent

from bourre.rules.house import PRESETS
from bourre_referee.export.junit import JUnitCase, junit_text
from bourre_referee.text.names import printable


class CheckVerdict(StrEnum):
    """The result of a check."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    SKIPPED = "skipped"

    def __repr__(self) -> str:
        return f"CheckVerdict.{self.name}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of the bot, with all information to investigate it. Unknown fields are empty."""

    what: str
    """The fault in one line: the decision, the answer, the rule."""
    rule: str = ""
    """The rule that was broken, with its sentence."""
    where: str = ""
    """The match, deal and seat."""
    hand: str = ""
    legal: str = ""
    cost: str = ""
    mend: str = ""
    printed: str = ""
    """The lines that the bot printed about it, or else its last lines."""
    again: str = ""
    """The command that reproduces it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check, with its findings."""

    name: str
    title: str
    """The purpose of the check, in words."""
    verdict: CheckVerdict
    summary: str
    findings: tuple[Finding, ...] = ()
    """The first finding of each kind."""
    times: int = 0
    """The number of all findings."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All checks of one bot."""

    bot: str
    command: tuple[str, ...]
    seed: int
    deals: int
    """The deals of the first room. Later rooms repeat some of them."""
    presets: tuple[str, ...]
    isolation: str
    checks: tuple[Check, ...]
    printed: str
    """The first lines that the bot printed."""

    @property
    def failed(self) -> bool:
        """Whether any check failed."""
        return any(check.verdict == CheckVerdict.FAILED for check in self.checks)


MAX_SHOWN = 5
"""The most findings shown per check, each of a different kind."""


def make_check(
    name: str, title: str, good: str, findings: Sequence[Finding], bad: CheckVerdict = CheckVerdict.FAILED
) -> Check:
    """Returns a check from its findings. Without any it has passed, with `good` as its summary."""
    if not findings:
        return Check(name, title, CheckVerdict.PASSED, good)
    return Check(name, title, bad, findings[0].what, _first_of_each_kind(findings), len(findings))


def _first_of_each_kind(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Returns the first finding of each kind."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.rule or finding.what.partition(" (")[0], finding)
    return tuple(first.values())[:MAX_SHOWN]


_LABELS = {field: field for field in ("rule", "where", "hand", "legal", "cost")} | {"mend": "fix", "again": "again"}
"""The label of each field of a finding, in the order in which they are printed after `what`."""


def report_lines(report: CheckReport) -> Iterator[str]:
    """Yields a line for each check, and its findings below it."""
    under = "all presets" if len(report.presets) == len(PRESETS) else ", ".join(report.presets)
    detail = f"{report.deals} deals under {under}, seed {report.seed}, isolation {report.isolation}"
    yield f"{printable(report.bot)}: {detail}"
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
    """Yields the verdict and the summary, with the title if there are findings, then the findings."""
    detail = check.summary
    if check.findings:
        detail = check.title + (f": {check.summary}" if check.summary != check.findings[0].what else "")
    yield f"{check.verdict:8}{check.name:12}{printable(detail)}"
    for finding in check.findings:
        yield from (f"        {line}" for line in finding_lines(finding))
    if more := check.times - len(check.findings):
        yield f"        and {more} more"


def finding_lines(finding: Finding) -> Iterator[str]:
    """Yields everything about one finding."""
    yield f"- {printable(finding.what)}"
    for field, label in _LABELS.items():
        text = getattr(finding, field)
        if text and (field != "rule" or text not in finding.what):
            yield f"  {label:6} {printable(text)}"
    if finding.printed:
        yield "  printed"
        yield from (f"    | {line}" for line in finding.printed.splitlines())


def _conclusion(report: CheckReport) -> str:
    def names(verdict: CheckVerdict) -> list[str]:
        return [check.name for check in report.checks if check.verdict == verdict]

    warned = f", worth a look: {', '.join(names(CheckVerdict.WARNED))}" if names(CheckVerdict.WARNED) else ""
    if report.failed:
        return f"failed: {', '.join(names(CheckVerdict.FAILED))}{warned}"
    return f"passed: ready for a contest{warned}"


def document(report: CheckReport) -> str:
    """Writes the whole report as JSON. `failed` is whether any check failed.

    `seed_text` is the seed for readers whose numbers have 53 bits, such as JavaScript's.
    """
    return json.dumps({"failed": report.failed, **asdict(report), "seed_text": str(report.seed)}, indent=2)


def junit(report: CheckReport) -> str:
    """Writes a JUnit report with a case for each check that was not skipped."""
    cases = [_case(check, report.bot) for check in report.checks if check.verdict != CheckVerdict.SKIPPED]
    return junit_text("bourre check", cases)


def _case(check: Check, bot: str) -> JUnitCase:
    detail = "\n".join([check.summary, *(line for finding in check.findings for line in finding_lines(finding))])
    failed = check.verdict == CheckVerdict.FAILED
    return JUnitCase(
        name=f"{check.name}: {check.title}",
        classname=bot,
        failure=detail if failed else None,
        output="" if failed else f"{check.verdict}: {detail}",
    )
