"""Pair the matches of the schedule with the stored ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from bourre_referee.contest.stages import is_match_id, match_number
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import ExpectedMatch
from bourre_referee.verify.match_check import Task


def tasks_of(
    schedule: Sequence[ExpectedMatch],
    matches: Iterable[StoredMatch],
    voids: Iterable[DiscardedMatch],
    grows: bool = False,
) -> Iterator[Task]:
    """Yield a task per match of the schedule, in order; raises Difference for a match that is not in it.

    If the schedule `grows`, what comes after its end was added since it was read, and is left out.
    """
    if grows:
        matches = takewhile(lambda stored: stored.number <= len(schedule), matches)
        voids = (void for void in voids if not _is_after(void.match, len(schedule)))
    discarded = _group_by_match(schedule, voids)
    remaining = iter(matches)
    following = next(remaining, None)
    for expected in schedule:
        stored = following if following and following.number == expected.number else None
        if stored:
            check(f"the match in place {expected.number} of the schedule", stored.match, expected.match, expected.match)
            following = next(remaining, None)
        yield Task(expected, stored, tuple(discarded[expected.match]))
    if following:
        raise Difference(
            f"{following.match!r} is stored in place {following.number}, but the schedule has no such match there"
        )


def _is_after(match: str, last: int) -> bool:
    return is_match_id(match) and match_number(match) > last


def _group_by_match(
    schedule: Sequence[ExpectedMatch], voids: Iterable[DiscardedMatch]
) -> dict[str, list[DiscardedMatch]]:
    by_match: dict[str, list[DiscardedMatch]] = {expected.match: [] for expected in schedule}
    for void in voids:
        if void.match not in by_match:
            raise Difference(f"an attempt at {void.match!r} was discarded, but the schedule has no such match")
        by_match[void.match].append(void)
    return by_match
