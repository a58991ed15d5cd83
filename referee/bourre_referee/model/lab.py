"""Finds `bourre_lab`, which judges decisions, by its entry point, so that the referee can run without it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from bourre.record import Record, RecordedAsk
    from bourre_lab.champion import Judged
    from bourre_lab.review import JudgedDecision, Reviewed, ReviewedDecision

    class Lab(Protocol):
        """The lab's functions for the referee."""

        LIMITS: Sequence[str]
        """The limits of a review, in sentences."""

        def reviewable(self, match: str, asks: Iterable[RecordedAsk], /) -> Iterator[Reviewed]:
            """Yields the reviewable decisions of a match."""

        def review_decisions(self, decisions: Iterable[Reviewed], /) -> Iterator[ReviewedDecision]:
            """Yields the cost of each decision."""

        def weighed_choices(
            self, match: str, asks: Iterable[RecordedAsk], /
        ) -> Iterator[tuple[RecordedAsk, tuple[Judged, ...]]]:
            """Yields each decision that can be judged with its sensible choices, the best first."""

        def judged_decisions(self, number: int, record: Record, /) -> Iterator[JudgedDecision]:
            """Yields the judged decisions of match `number`, for the tests for collusion."""


@cache
def open_lab() -> Lab:
    """Returns the lab, which is sought once. Raises ModuleNotFoundError if it or NumPy is not installed."""
    for entry in entry_points(group="bourre.lab"):
        lab: Lab = entry.load()
        return lab
    raise ModuleNotFoundError("no package has the entry point bourre.lab", name="bourre_lab")
