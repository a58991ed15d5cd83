"""The tables of an export: their columns, their rows match by match, and their files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol, get_args, get_type_hints

from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.result_rows import (
    block_rows,
    call_row,
    call_rows,
    match_row,
    note_rows,
    rating_rows,
    reduce_to_ranks,
    seat_rows,
    usage_rows,
)
from bourre_referee.export.table_rows import (
    BlockRow,
    CallRow,
    DealRow,
    DecisionRow,
    MatchTableRow,
    NoteRow,
    RatingTableRow,
    Row,
    SeatTableRow,
    UsageRow,
)
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.files.process_pool import map_in_order, worthwhile_jobs
from bourre_referee.storage.run.run import Run

RATINGS, CALLS = "ratings", "calls"
"""The tables with rows that belong to no match."""

TABLES: Mapping[str, type[Row]] = {
    "matches": MatchTableRow,
    "seats": SeatTableRow,
    "blocks": BlockRow,
    "deals": DealRow,
    "decisions": DecisionRow,
    "notes": NoteRow,
    CALLS: CallRow,
    "usage": UsageRow,
    RATINGS: RatingTableRow,
}
"""The tables by the name of their file."""

REPLAYED = {"deals", "decisions"}
"""The tables that need records to be replayed."""
ROWS_TOGETHER = 1_000
"""How many rows are encoded at once that belong to no match."""

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    optional: bool
    """Whether a cell may be empty."""


def columns_of(table: type[Row]) -> tuple[Column, ...]:
    """Returns the columns of a table, in their order."""
    hints = get_type_hints(table)
    return tuple(_column(field.name, hints[field.name]) for field in fields(table))


def cell_getter(table: type[Row]) -> Callable[[Row], tuple[Cell, ...]]:
    """Returns a function that returns the cells of a row, in the order of the columns."""
    return attrgetter(*(field.name for field in fields(table)))


def _column(name: str, hint: type) -> Column:
    kinds = [kind for kind in get_args(hint) if kind is not type(None)] or [hint]
    return Column(name, kinds[0], optional=len(get_args(hint)) > 0)


class Sink(Protocol):
    """A file that takes rows of one table, in their order."""

    def write(self, rows: Any, /) -> object:
        """Writes these rows, as the format encodes them, at the latest when the file is closed."""


@dataclass(frozen=True, slots=True)
class TableFormat:
    """How the tables are written. Both functions are importable, so that other processes can encode."""

    suffix: str
    encode: Callable[[type[Row], Iterable[Row]], Any]
    """Encodes rows of a table for its file."""
    open: Callable[[Path, type[Row]], AbstractContextManager[Sink]]
    """Opens a new file for the rows of a table."""


@dataclass(frozen=True, slots=True)
class Work:
    """The number of processes and the listener to the progress."""

    jobs: int | None = None
    """How many processes replay the records. None chooses the number."""
    advance: Callable[[str, int, int], None] = lambda *_: None
    """Called with the step, the number of its finished matches, and the number of all its matches."""


def write_tables(
    run: Run,
    folder: Path,
    tables: Collection[str],
    format: TableFormat,
    work: Work,
    take: Callable[[StoredMatch], None] = lambda _: None,
) -> None:
    """Writes these tables of the run, each into the file of its name in this folder, and calls `take` with each match.

    Replays records only for deals and decisions. Calls without a note come last. Raises ContestError if the run is
    damaged.
    """
    with ExitStack() as stack:
        sinks = {
            name: stack.enter_context(format.open(folder / f"{name}.{format.suffix}", TABLES[name])) for name in tables
        }
        results: list[MatchResult] = []
        noted: set[int] = set()
        for match, encoded in stack.enter_context(closing(encoded_matches(run, tables, format, work))):
            for name, rows in encoded.items():
                sinks[name].write(rows)
            take(match)
            results.append(_rank(match, run))
            noted.update(call.number for seat in match.remarks for note in seat.notes for call in note.calls)
        lone: dict[str, Iterator[Row]] = {
            RATINGS: _rating_rows(run, results),
            CALLS: map(call_row, run.other_calls(noted)),
        }
        for name, rows in lone.items():
            if name in sinks:
                for chunk in _chunks(rows):
                    sinks[name].write(format.encode(TABLES[name], chunk))


def encoded_matches(
    run: Run, tables: Collection[str], format: TableFormat, work: Work
) -> Generator[tuple[StoredMatch, dict[str, Any]], None, None]:
    """Yields each match with its rows of these tables, encoded, in schedule order."""
    matches, deals = run.manifest.finished, run.manifest.terms.deals
    jobs = work.jobs or (worthwhile_jobs(matches * deals) if REPLAYED & {*tables} else 1)
    encode = partial(
        _encode_match, tables=tuple(tables), format=format, played=run.manifest.terms.format, run=str(run.place)
    )
    with closing(stored_matches(run)) as stored, closing(map_in_order(encode, stored, jobs)) as encoded:
        for done, of_match in enumerate(encoded):
            work.advance("tables", done, matches)
            yield of_match


def _encode_match(
    match: StoredMatch, tables: Collection[str], format: TableFormat, played: str, run: str
) -> dict[str, Any]:
    by_table = defaultdict[type[Row], list[Row]](list)
    for row in _rows_of(match, played, f"{run}: {match.match}", replay=bool(REPLAYED & {*tables})):
        by_table[type(row)].append(row)
    return {name: format.encode(TABLES[name], rows) for name in tables if (rows := by_table.get(TABLES[name]))}


def _rows_of(match: StoredMatch, played: str, place: str, *, replay: bool) -> Iterator[Row]:
    yield match_row(match, played)
    yield from seat_rows(match)
    yield from block_rows(match)
    yield from note_rows(match)
    yield from call_rows(match)
    yield from usage_rows(match)
    if replay:
        yield from record_rows(match.record or "", place)


def stored_matches(run: Run) -> Generator[StoredMatch, None, None]:
    """Yields the finished matches, a few in memory at a time, without the bots' notes while the seed is secret.

    Raises ContestError if a record is damaged.
    """
    with closing(run.stored_matches()) as matches:
        for match in matches:
            if match.record is None:
                raise ContestError(
                    f"{run.place}: the record of {match.match} is damaged.\nhint: restore run.db from a backup"
                )
            bots = [seat.bot for seat in match.seats]
            yield replace(match, remarks=run.with_calls(bots, match.remarks) if run.shows_remarks else ())


def _rating_rows(run: Run, results: Sequence[MatchResult]) -> Iterator[RatingTableRow]:
    try:
        yield from rating_rows(results, run.bots, run.manifest.anchors, run.manifest.rating_version)
    except ValueError as error:
        raise ContestError(f"{run.place}: {error}.\nhint: run bourre verify for details") from error


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, ROWS_TOGETHER)):
        yield chunk


def _rank(match: StoredMatch, run: Run) -> MatchResult:
    try:
        return reduce_to_ranks(match)
    except ValueError as error:
        raise ContestError(f"{run.place}: {error}.\nhint: run bourre verify for details") from error


CONTENTS: Mapping[str, str] = {
    "matches": "a row for each finished match",
    "seats": "a row for each bot of each match",
    "blocks": "a row for each bot of each block, the unit of the intervals",
    "deals": "a row for each seat of each deal",
    "decisions": "a row for each action",
    "notes": "a row for each note of a bot, but none while the seed is secret",
    "calls": "a row for each call of a language model, but none while the seed is secret",
    "usage": "a row for each bot of each match that reported its usage, but none while the seed is secret",
    "ratings": "a row for each rating, from all matches and after each of them",
}
"""The content of each table."""


def readme_text(title: str, tables: Collection[str], suffix: str, others: Mapping[str, str], folder: str = "") -> str:
    """Writes the README: the title, then a line for each other file and for each table, whose folder may be given."""
    files = {**others, **{f"{folder}{name}.{suffix}": text for name, text in CONTENTS.items() if name in tables}}
    width = max(map(len, files)) + 3
    lines = "".join(f"{name:{width}}{text}\n" for name, text in files.items())
    return f"{title}\ndocs/data.md of bourre explains every column.\n\n{lines}"
