"""The schedule and what is kept of it, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bourre_referee.model.stored import KeptMatch, KeptVoid
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import Place
from bourre_referee.verify.match_check import Task


def tasks(plan: Sequence[Place], kept: Iterable[KeptMatch], voids: Iterable[KeptVoid]) -> Iterator[Task]:
    """A task for every place of the schedule, in its order; Difference where something has no place there."""
    void = _by_match(plan, voids)
    stored = iter(kept)
    coming = next(stored, None)
    for place in plan:
        here = coming if coming and coming.number == place.number else None
        if here:
            check(f"the match in place {place.number} of the schedule", here.match, place.match, place.match)
            coming = next(stored, None)
        yield Task(place, here, tuple(void.get(place.match, ())))
    if coming:
        raise Difference(f"{coming.match!r}, in place {coming.number}, has no place there in the schedule")


def _by_match(plan: Sequence[Place], voids: Iterable[KeptVoid]) -> dict[str, list[KeptVoid]]:
    by_match: dict[str, list[KeptVoid]] = {place.match: [] for place in plan}
    for void in voids:
        if void.match not in by_match:
            raise Difference(f"a playing of {void.match!r} is void, which has no place in the schedule")
        by_match[void.match].append(void)
    return by_match
