"""Adaptive rounds: further matches go where they are needed, to neighbours in the ranking that are still undecided.

Who sits there follows from the results so far, so that anybody can check it (`bourre verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import rate
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.stopping_boundary import Verdict
from bourre_referee.statistics.undecided_pairs import UndecidedPairs, judge_neighbours
from bourre_referee.storage.run.manifest import Manifest


def adaptive_round(manifest: Manifest, results_so_far: Callable[[], Sequence[MatchResult]]) -> ScheduleChoice | None:
    """Returns the round due once all matches of a manifest are finished; None if no more is allowed or needed.

    `results_so_far` is called only if a round may be due: most contests have no such rounds, and many results.
    """
    if len(manifest.added) >= (manifest.terms.schedule.adaptive or 0):
        return None
    results = results_so_far()
    ratings = rate(results, manifest.bots, anchors=manifest.anchors)
    ranking = sorted((bot.name for bot in manifest.terms.bots), key=lambda name: (-ratings[name].score, name))
    line_ups = tuple(pairings_of(judge_neighbours(tally_of(results), ranking), ranking, manifest.terms.seats))
    return ScheduleChoice("neighbours", line_ups=line_ups) if line_ups else None


def pairings_of(found: Sequence[UndecidedPairs], ranking: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yields runs of the ranking, one per table, such that all undecided neighbours sit together at some table."""
    covered = 0
    """The lowest place in the ranking that the line-ups so far reach."""
    for place, pair in enumerate(found):
        if pair.verdict is Verdict.UNDECIDED and place >= covered:
            first = min(place, len(ranking) - seats)
            covered = first + seats - 1
            yield tuple(ranking[first : first + seats])
