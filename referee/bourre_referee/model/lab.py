"""The one way to `bourre_lab`, which judges decisions: its entry point, so that the referee runs without it."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from bourre.record import Record, RecordedAsk
    from bourre_lab.review import JudgedDecision, Reviewed, ReviewedDecision

    class Lab(Protocol):
        """What the lab does for the referee."""

        LIMITS: Sequence[str]
        """What a review cannot know, in sentences."""

        def reviewable(self, match: str, asks: Iterable[RecordedAsk], /) -> Iterator[Reviewed]:
            """Yields the decisions of a match that can be reviewed."""

        def review_decisions(self, decisions: Iterable[Reviewed], /) -> Iterator[ReviewedDecision]:
            """Yields what each decision cost."""

        def judged_decisions(self, number: int, record: Record, /) -> Iterator[JudgedDecision]:
            """Yields the decisions of match `number` as the tests for collusion see them."""


def open_lab() -> Lab:
    """Returns the lab; raises ModuleNotFoundError if it is not installed, or NumPy is not."""
    for entry in entry_points(group="bourre.lab"):
        lab: Lab = entry.load()
        return lab
    raise ModuleNotFoundError("no package has the entry point bourre.lab", name="bourre_lab")
