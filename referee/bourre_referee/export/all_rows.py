"""All rows of a run, one match in memory at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing

from bourre_referee.export.rating_rows import rating_rows
from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.result_rows import block_rows, match_row, ranks_alone, seat_rows
from bourre_referee.export.table_rows import DealRow, DecisionRow, Row
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import KeptMatch
from bourre_referee.storage.run_folder import RunFolder


def whole_matches(run: RunFolder) -> Iterator[KeptMatch]:
    """The finished matches, a few at a time; ContestError where a record is damaged."""
    with closing(run.kept()) as matches:
        for match in matches:
            if match.record is None:
                raise ContestError(f"{run.path}: the record of {match.match} is damaged; put a copy of run.db back")
            yield match


def rows_of(run: RunFolder, wanted: Collection[type[Row]]) -> Iterator[Row]:
    """The rows of the wanted tables, in schedule order, ratings last; others may be among them.

    Records are played again only for deals and decisions. ContestError where the run is damaged.
    """
    results: list[MatchResult] = []
    for match in whole_matches(run):
        yield match_row(match, run.manifest.terms.format)
        yield from seat_rows(match)
        yield from block_rows(match)
        if {DealRow, DecisionRow} & {*wanted}:
            yield from record_rows(match.record or "", f"{run.path}: {match.match}")
        results.append(_ranked(match, run))
    try:
        yield from rating_rows(results, run.bots)
    except ValueError as error:
        raise ContestError(f"{run.path}: {error}; `bourre verify` says more") from error


def _ranked(match: KeptMatch, run: RunFolder) -> MatchResult:
    try:
        return ranks_alone(match)
    except ValueError as error:
        raise ContestError(f"{run.path}: {error}; `bourre verify` says more") from error
