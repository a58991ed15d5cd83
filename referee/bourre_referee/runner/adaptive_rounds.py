"""Adaptive rounds: further matches between neighbours in the ranking that are still undecided.

The line-ups follow from the results so far, so anyone can check them (`bourre verify`).
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
    """Returns the round that is due once all matches of a manifest are finished; None if no round is allowed or needed.

    It calls `results_so_far` only if a round may be due, because reading all results takes time.
    """
    if len(manifest.added) >= (manifest.terms.schedule.adaptive or 0):
        return None
    results = results_so_far()
    ratings = rate(results, manifest.bots, anchors=manifest.anchors)
    ranking = sorted((bot.name for bot in manifest.terms.bots), key=lambda name: (-ratings[name].score, name))
    line_ups = tuple(pairings_of(judge_neighbours(tally_of(results), ranking), ranking, manifest.terms.seats))
    return ScheduleChoice("neighbours", line_ups=line_ups) if line_ups else None


def pairings_of(found: Sequence[UndecidedPairs], ranking: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yields parts of the ranking, one per table, so that all undecided neighbours share a table."""
    covered = 0
    """The lowest place in the line-ups so far."""
    for place, pair in enumerate(found):
        if pair.verdict is Verdict.UNDECIDED and place >= covered:
            first = min(place, len(ranking) - seats)
            covered = first + seats - 1
            yield tuple(ranking[first : first + seats])
