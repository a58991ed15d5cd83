"""Finds `bourre_lab`, which judges decisions, by its entry point, so that the referee can run without it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol

    from bourre.record import Record, RecordedAsk
    from bourre.rules.house import HouseRules
    from bourre_lab.best_response import Exploited
    from bourre_lab.champion import Judged
    from bourre_lab.review import JudgedDecision, Reviewed, ReviewedDecision

    class Lab(Protocol):
        """The lab's functions for the referee."""

        LIMITS: Sequence[str]
        """The limits of a review, in sentences."""

        def reviewable(self, match: str, asks: Iterable[RecordedAsk], /) -> Iterator[Reviewed]:
            """Yields the reviewable decisions of a match."""

        def unjudged(self, ask: RecordedAsk, /) -> str:
            """Returns why a decision is not reviewable, or nothing."""

        def training_gap(self, house: HouseRules, seats: int, /) -> str:
            """Returns a sentence if the champion hardly trained for such tables, or nothing."""

        def review_decisions(self, decisions: Iterable[Reviewed], /) -> Iterator[ReviewedDecision]:
            """Yields the cost of each decision."""

        def weighed_choices(
            self, match: str, asks: Iterable[RecordedAsk], /
        ) -> Iterator[tuple[RecordedAsk, tuple[Judged, ...]]]:
            """Yields each decision that can be judged with its sensible choices, the best first."""

        def exploit(
            self, bot: str, seats: int, house: HouseRules, minutes: float, *, rounds: int | None, seed: int
        ) -> Exploited:
            """Learns to win from tables of a bot, a file or an example, and measures its loss."""

        def judged_decisions(self, number: int, record: Record, /) -> Iterator[JudgedDecision]:
            """Yields the judged decisions of match `number`, for the tests for collusion."""


@cache
def open_lab() -> Lab:
    """Returns the lab, which is sought once. Raises ModuleNotFoundError if it or NumPy is not installed.

    If NumPy is not imported yet, it gets one thread: the champion's matrices are so small that more threads double the
    processor time of a review and do not end it sooner.
    """
    for entry in entry_points(group="bourre.lab"):
        with _environment(OPENBLAS_NUM_THREADS="1"):
            lab: Lab = entry.load()
        return lab
    raise ModuleNotFoundError("no package has the entry point bourre.lab", name="bourre_lab")


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Sets these variables until the end of the block, unless they have values."""
    new = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]
