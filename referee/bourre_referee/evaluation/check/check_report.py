"""The result of a check: its verdict and its findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    SKIPPED = "skipped"

    def __repr__(self) -> str:
        return f"Verdict.{self.name}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, with all that helps to investigate it; unknown fields are empty."""

    what: str
    """What is wrong, in one line: the decision, the answer, the rule."""
    rule: str = ""
    """The rule that was broken, with its sentence."""
    where: str = ""
    """The match, deal and seat."""
    hand: str = ""
    legal: str = ""
    cost: str = ""
    mend: str = ""
    printed: str = ""
    """The lines that the bot printed about it, or else the last lines that it printed."""
    again: str = ""
    """The command that reproduces it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check, with its findings."""

    name: str
    title: str
    """What it checks, in words."""
    verdict: Verdict
    summary: str
    findings: tuple[Finding, ...] = ()
    """The first finding of each kind."""
    times: int = 0
    """How many findings there were in all."""


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one bot."""

    bot: str
    command: tuple[str, ...]
    seed: int
    deals: int
    """How many deals the first room played; later rooms repeat some of them."""
    presets: tuple[str, ...]
    isolation: str
    checks: tuple[Check, ...]
    printed: str
    """The first lines that the bot printed."""

    @property
    def failed(self) -> bool:
        """Whether any check failed."""
        return any(check.verdict == Verdict.FAILED for check in self.checks)


MAX_SHOWN = 5
"""The most findings shown per check, each of a different kind."""


def make_check(name: str, title: str, good: str, findings: Sequence[Finding], bad: Verdict = Verdict.FAILED) -> Check:
    """Make a check from its findings; without any it has passed, with `good` as its summary."""
    if not findings:
        return Check(name, title, Verdict.PASSED, good)
    return Check(name, title, bad, findings[0].what, _first_of_each_kind(findings), len(findings))


def _first_of_each_kind(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the first finding of each kind."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.rule or finding.what.partition(" (")[0], finding)
    return tuple(first.values())[:MAX_SHOWN]
