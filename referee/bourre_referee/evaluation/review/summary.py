"""Adds up what the decisions of each kind cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bourre.rules.view import View

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision

KINDS: Final = ("name trump", "entry", "draw", "stay", "lead", "follow")


@dataclass(frozen=True, slots=True)
class KindSummary:
    """The decisions of one kind."""

    kind: str
    decisions: int
    cost: float
    """Chips that they cost in all."""
    error: float
    """The standard error of that sum."""
    mistakes: int


def kind_of(view: View) -> str:
    """Returns which of KINDS this view asks for; to come in with discards (R4.1) is an entry."""
    if view.decision == "play":
        return "follow" if view.trick else "lead"
    return {"name_trump": "name trump", "declare": "entry", "draw": "draw", "stay": "stay"}[view.decision]


def summarize(decisions: Sequence[ReviewedDecision]) -> tuple[KindSummary, ...]:
    """Returns a summary for each kind that occurred."""
    parts = ((kind, [one for one in decisions if kind_of(one.ask.view) == kind]) for kind in KINDS)
    return tuple(_summary(kind, part) for kind, part in parts if part)


def _summary(kind: str, part: Sequence[ReviewedDecision]) -> KindSummary:
    return KindSummary(
        kind=kind,
        decisions=len(part),
        cost=sum(one.cost for one in part),
        error=_root_sum(one.error for one in part),
        mistakes=sum(one.is_mistake for one in part),
    )


def _root_sum(errors: Iterable[float]) -> float:
    return float(sum(error**2 for error in errors) ** 0.5)


def worst(decisions: Iterable[ReviewedDecision], most: int) -> list[ReviewedDecision]:
    """Returns the mistakes that cost most, the worst first."""
    mistakes = [one for one in decisions if one.is_mistake]
    return sorted(mistakes, key=lambda one: one.cost, reverse=True)[:most]
