"""Further rounds: matches are spent where they are needed, on neighbours in the ranking who are not told apart.

Who sits there follows from the results so far, so that anybody can find it again (`bourre verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bourre_referee.contest.pairing import Pairing
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import rate
from bourre_referee.statistics.neighbours import Neighbours, neighbours
from bourre_referee.statistics.stopping_boundary import Verdict
from bourre_referee.storage.manifest import Manifest


def adaptive_round(manifest: Manifest, results_so_far: Callable[[], Sequence[MatchResult]]) -> Pairing | None:
    """The round that is due once all matches of a manifest are finished; None: no more of them, or none is needed.

    `results_so_far` is asked only where there may be one: most contests have no further rounds, and many results.
    """
    if len(manifest.added) >= (manifest.terms.schedule.adaptive or 0):
        return None
    results = results_so_far()
    ratings = rate(results, manifest.bots)
    ranking = sorted((bot.name for bot in manifest.terms.bots), key=lambda name: (-ratings[name].score, name))
    companies = tuple(pairings_of(neighbours(results, ranking), ranking, manifest.terms.seats))
    return Pairing("neighbours", line_ups=companies) if companies else None


def pairings_of(found: Sequence[Neighbours], ranking: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Bots who follow each other in the ranking, so that all neighbours who are undecided sit together somewhere."""
    covered = 0
    """The lowest place in the ranking that the companies so far reach."""
    for place, pair in enumerate(found):
        if pair.verdict is Verdict.UNDECIDED and place >= covered:
            first = min(place, len(ranking) - seats)
            covered = first + seats - 1
            yield tuple(ranking[first : first + seats])
