"""The tables of an export: their columns, their rows match by match, and their files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import Protocol, get_args, get_type_hints

from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.result_rows import block_rows, match_row, rating_rows, reduce_to_ranks, seat_rows
from bourre_referee.export.table_rows import BlockRow, DealRow, DecisionRow, MatchRow, RatingRow, Row, SeatRow
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.run_folder import RunFolder

TABLES: Mapping[str, type[Row]] = {
    "matches": MatchRow,
    "seats": SeatRow,
    "blocks": BlockRow,
    "deals": DealRow,
    "decisions": DecisionRow,
    "ratings": RatingRow,
}
"""The tables by the name of their file."""

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    optional: bool
    """Whether a cell may be empty."""


def columns_of(table: type[Row]) -> tuple[Column, ...]:
    """Return the columns of a table, in their order."""
    hints = get_type_hints(table)
    return tuple(_column(field.name, hints[field.name]) for field in fields(table))


def cell_getter(table: type[Row]) -> Callable[[Row], tuple[Cell, ...]]:
    """Make a function that returns the cells of a row, in the order of the columns."""
    return attrgetter(*(field.name for field in fields(table)))


def _column(name: str, hint: type) -> Column:
    kinds = [kind for kind in get_args(hint) if kind is not type(None)] or [hint]
    return Column(name, kinds[0], optional=len(get_args(hint)) > 0)


class Sink(Protocol):
    """A file that takes rows of one table, in their order."""

    def add(self, row: Row) -> None:
        """Write the row, at the latest when the file is closed."""


OpenSink = Callable[[Path, type[Row]], AbstractContextManager[Sink]]
"""Opens a new file for the rows of a table."""


def write_tables(rows: Iterable[Row], folder: Path, tables: Collection[str], suffix: str, open_sink: OpenSink) -> None:
    """Write the rows of these tables, each table into the file of its name in this folder."""
    with ExitStack() as stack:
        sinks = {
            TABLES[name]: stack.enter_context(open_sink(folder / f"{name}.{suffix}", TABLES[name])) for name in tables
        }
        for row in rows:
            if sink := sinks.get(type(row)):
                sink.add(row)


def stored_matches(run: RunFolder) -> Iterator[StoredMatch]:
    """Yield the finished matches, a few in memory at a time; raises ContestError if a record is damaged."""
    with closing(run.stored_matches()) as matches:
        for match in matches:
            if match.record is None:
                raise ContestError(f"{run.path}: the record of {match.match} is damaged; restore a copy of run.db")
            yield match


def rows_of(run: RunFolder, wanted: Collection[type[Row]]) -> Iterator[Row]:
    """Yield the rows of the wanted tables, and perhaps of others, in schedule order, ratings last.

    Records are replayed only for deals and decisions. Raises ContestError if the run is damaged.
    """
    results: list[MatchResult] = []
    for match in stored_matches(run):
        yield match_row(match, run.manifest.terms.format)
        yield from seat_rows(match)
        yield from block_rows(match)
        if {DealRow, DecisionRow} & {*wanted}:
            yield from record_rows(match.record or "", f"{run.path}: {match.match}")
        results.append(_rank(match, run))
    try:
        yield from rating_rows(results, run.bots)
    except ValueError as error:
        raise ContestError(f"{run.path}: {error}; `bourre verify` says more") from error


def _rank(match: StoredMatch, run: RunFolder) -> MatchResult:
    try:
        return reduce_to_ranks(match)
    except ValueError as error:
        raise ContestError(f"{run.path}: {error}; `bourre verify` says more") from error


CONTENTS: Mapping[str, str] = {
    "matches": "a row for each finished match",
    "seats": "a row for each bot of each match",
    "blocks": "a row for each bot of each block, the unit of the intervals",
    "deals": "a row for each seat of each deal",
    "decisions": "a row for each action",
    "ratings": "a row for each rating: of all matches, and after each of them",
}
"""What each table holds."""


def readme_text(title: str, tables: Collection[str], suffix: str, others: Mapping[str, str], folder: str = "") -> str:
    """Write the README: the title, then a line for each other file and for each table, whose folder may be given."""
    files = {**others, **{f"{folder}{name}.{suffix}": text for name, text in CONTENTS.items() if name in tables}}
    width = max(map(len, files)) + 3
    lines = "".join(f"{name:{width}}{text}\n" for name, text in files.items())
    return f"{title}\ndocs/data.md of bourre explains every column.\n\n{lines}"
