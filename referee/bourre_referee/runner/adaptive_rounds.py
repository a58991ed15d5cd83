"""Adaptive rounds: further matches between neighbours in the ranking that are still undecided.

The line-ups follow from the results so far, so anyone can check them (`bourre verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.derived.run_standings import rank_matches, rate_matches
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import MAX_LOOKS
from bourre_referee.statistics.stopping_boundary import Verdict
from bourre_referee.statistics.undecided_pairs import judge_neighbours
from bourre_referee.storage.run.manifest import Manifest


def adaptive_round(manifest: Manifest, results_so_far: Callable[[], Sequence[MatchResult]]) -> ScheduleChoice | None:
    """Returns the round that is due once all matches of a manifest are finished; None if no round is allowed or needed.

    It calls `results_so_far` only if a round may be due, because reading all results takes time. All looks at the
    results share one error, so there are at most MAX_LOOKS, the last of which is at the standings. A round without a
    look repeats the line-ups of the one before.
    """
    rounds, added = manifest.terms.schedule.adaptive or 0, manifest.added
    if len(added) >= rounds:
        return None
    by_field = manifest.rating_version >= FIELD_MODEL_SINCE
    if by_field and added and len(added) not in looks(rounds):
        return added[-1]
    results = results_so_far()
    found = list(_open_neighbours(manifest, results) if by_field else _undecided_neighbours(manifest, results))
    ranking, undecided = [bot for bot, _ in found], [open for _, open in found[:-1]]
    line_ups = tuple(pairings_of(undecided, ranking, manifest.terms.seats))
    return ScheduleChoice("neighbours", line_ups=line_ups) if line_ups else None


def looks(rounds: int) -> frozenset[int]:
    """Returns after how many adaptive rounds the results are looked at before the last one: evenly, three times."""
    before_last = MAX_LOOKS - 1
    return frozenset(-(-look * rounds // before_last) for look in range(before_last)) if rounds else frozenset()


def _open_neighbours(manifest: Manifest, results: Sequence[MatchResult]) -> Iterator[tuple[str, bool]]:
    """Yields the bots best first, and whether each is tied with the next."""
    table = rank_matches(manifest, "", tally_of(results), dict.fromkeys(manifest.bots, Rating()))
    now = frozenset(bot.name for bot in manifest.terms.bots)
    rows = [row for row in table.rows if row.bot in now]
    for row in rows:
        yield row.bot, row.rank is not None and row.matches_to_part != 0


def _undecided_neighbours(manifest: Manifest, results: Sequence[MatchResult]) -> Iterator[tuple[str, bool]]:
    """Yields the bots best first, and whether each is undecided against the next, by the method of older runs."""
    ratings = rate_matches(manifest, results)
    ranking = sorted((bot.name for bot in manifest.terms.bots), key=lambda name: (-ratings[name].score, name))
    found = judge_neighbours(tally_of(results), ranking)
    for bot, pair in zip_longest(ranking, found):
        yield bot, pair is not None and pair.verdict is Verdict.UNDECIDED


def pairings_of(undecided: Sequence[bool], ranking: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yields parts of the ranking, one per table, so that all bots that are undecided against the next share one."""
    covered = 0
    """The lowest place in the line-ups so far."""
    for place, is_open in enumerate(undecided):
        if is_open and place >= covered:
            first = min(place, len(ranking) - seats)
            covered = first + seats - 1
            yield tuple(ranking[first : first + seats])
