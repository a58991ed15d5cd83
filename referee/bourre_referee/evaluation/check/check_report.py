"""What a check comes to: its verdict, what was found, and where."""

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
    """One thing that is wrong, with all that it takes to look into it; empty texts where there is nothing to say."""

    what: str
    """In one line: the decision, what was answered, the rule."""
    rule: str = ""
    """The rule that was broken, with its sentence."""
    where: str = ""
    """Match, deal, seat."""
    hand: str = ""
    legal: str = ""
    cost: str = ""
    mend: str = ""
    printed: str = ""
    """What the bot printed there, where that can be told, else the last that it printed; as lines."""
    again: str = ""
    """The command that shows it again."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    name: str
    title: str
    """What it asks, in words."""
    verdict: Verdict
    summary: str
    findings: tuple[Finding, ...] = ()
    """The first of each kind."""
    times: int = 0
    """How many there were in all."""


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one bot."""

    bot: str
    command: tuple[str, ...]
    seed: int
    deals: int
    """Played in the first room; others are played again."""
    presets: tuple[str, ...]
    isolation: str
    checks: tuple[Check, ...]
    printed: str
    """The first lines that the bot printed."""

    @property
    def failed(self) -> bool:
        """Whether any check failed."""
        return any(check.verdict == Verdict.FAILED for check in self.checks)


SHOWN = 5
"""Findings of one check that are told one by one, each of another kind."""


def judged(name: str, title: str, good: str, findings: Sequence[Finding], bad: Verdict = Verdict.FAILED) -> Check:
    """The check with these findings: passed, with what is good about it, where there are none."""
    if not findings:
        return Check(name, title, Verdict.PASSED, good)
    return Check(name, title, bad, findings[0].what, _different(findings), len(findings))


def _different(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The first of each kind."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.rule or finding.what.partition(" (")[0], finding)
    return tuple(first.values())[:SHOWN]
