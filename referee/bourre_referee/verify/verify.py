"""Checks a whole run, from its seed to its standings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile

from bourre_referee.contest.recount import Amounts
from bourre_referee.contest.stages import is_match_id, match_number
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.storage.files.process_pool import map_in_order, worthwhile_jobs
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import ExpectedMatch, expected_matches, master_of
from bourre_referee.verify.lessons import with_lessons
from bourre_referee.verify.log_check import CheckedLog, check_log
from bourre_referee.verify.match_check import Task, check_match
from bourre_referee.verify.rating_claim import RatedAgain, check_rating_method
from bourre_referee.verify.run_source import Source
from bourre_referee.verify.totals_check import CheckedRounds, Totals


@dataclass(frozen=True, slots=True)
class VerifiedRun:
    """A run without differences, as far as it can be checked."""

    manifest: Manifest
    matches: tuple[str, ...]
    """The ids of the finished matches, in schedule order."""
    amounts: Amounts
    digest: str | None
    """The digest of the run. None if not all matches are finished."""
    chain: str
    voids: tuple[DiscardedMatch, ...]
    rounds: CheckedRounds
    log: CheckedLog
    archived: bool
    """Whether the bots' files are there, with the hashes in the terms."""
    rated_again: tuple[RatedAgain, ...]
    """The bots whose figures in `standings.json`, by an older method, are not the current ones."""

    @property
    def finished(self) -> int:
        """How many matches are finished."""
        return len(self.matches)

    @property
    def seed_known(self) -> bool:
        """Whether the seed is revealed, so that all cards follow from it."""
        return self.manifest.seed.revealed is not None


Advance = Callable[[str, int, int], None]
"""Called with the step, the number of its finished matches, and the number of all its matches."""


def verify(source: Source, jobs: int | None = None, advance: Advance = lambda *_: None) -> VerifiedRun:
    """Checks everything, in `jobs` processes or as many as are worthwhile. Raises the first Difference."""
    manifest = source.manifest()
    check_rating_method(manifest)
    schedule = expected_matches(manifest, master_of(manifest))
    grows = source.grows and manifest.is_epoch and not manifest.complete
    voids = tuple(source.voids())
    totals = Totals(manifest)
    jobs = jobs or worthwhile_jobs(manifest.finished * manifest.terms.deals)
    with (
        closing(source.matches()) as matches,
        closing(map_in_order(check_match, _tasks(manifest, tasks_of(schedule, matches, voids, grows)), jobs)) as checks,
    ):
        for done, (task, checked) in enumerate(checks):
            advance("verify", done, len(schedule))
            totals.take(task, checked)
    totals.check_manifest()
    rounds = totals.check_adaptive_rounds(voids) if _has_rounds(manifest) else CheckedRounds(0)
    rated_again = totals.check_standings(source.standings()) if manifest.complete else ()
    archived = source.archived(manifest.bot_files) if manifest.terms.archive else False
    log = check_log(manifest, totals.record_hashes, voids)
    digest = manifest.digest if manifest.complete else None
    finished, amounts, chain = tuple(totals.record_hashes), totals.amounts, totals.chain
    return VerifiedRun(manifest, finished, amounts, digest, chain, voids, rounds, log, archived, rated_again)


def _tasks(manifest: Manifest, tasks: Iterator[Task]) -> Iterator[Task]:
    return with_lessons(tasks) if manifest.terms.baseline == "bot styles 2" else tasks


def _has_rounds(manifest: Manifest) -> bool:
    """Returns whether its adaptive rounds can be checked, if there are any or should be."""
    return manifest.rated_as_now and not manifest.is_epoch


def tasks_of(
    schedule: Sequence[ExpectedMatch],
    matches: Iterable[StoredMatch],
    voids: Iterable[DiscardedMatch],
    grows: bool = False,
) -> Iterator[Task]:
    """Yields a task per match of the schedule, in order. Raises Difference for a match that is not in it.

    If the schedule `grows`, it leaves out matches after its end, which were added later.
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
