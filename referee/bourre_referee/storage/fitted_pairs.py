"""The fitted correction of a run: the results and records that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from bourre.record import read
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.fitted_correction import FittedMatch, fit_pairs
from bourre_referee.statistics.pair_figures import PairFigures
from bourre_referee.storage.run import Run


def check_fitted(run: Run) -> None:
    """Raise ContestError if the run knows no luck that could be fitted."""
    if run.manifest.terms.format != "duplicate":
        raise ContestError(
            f'{run.place}: --fitted takes format = "duplicate", in which every bot gets every hand, not "session"'
        )


def fitted_pairs(run: Run, pairs: Sequence[PairFigures]) -> tuple[PairFigures, ...]:
    """Add to each pair its fitted figure, where that helps; raises ContestError if the run is damaged."""
    results = {match.stored.number: match.result for match in run.new_matches(()) or []}
    with closing(run.packed_records([*results])) as records:
        matches = [FittedMatch(results[record.number], read(record.text()).header) for record in records]
    return fit_pairs(pairs, matches)
