"""The format `jsonl`: the whole run, so that anyone can verify it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from bourre_referee.export.export_layout import ExportLayout
from bourre_referee.export.export_tables import (
    TableFormat,
    Work,
    cell_getter,
    columns_of,
    readme_text,
    stored_matches,
    write_tables,
)
from bourre_referee.export.jsonl_lines import Line, MatchLine, TimesLine, VoidLine
from bourre_referee.export.table_rows import Row
from bourre_referee.model.errors import ContestError
from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.run import Run

TITLE = """\
A contest of Bourré, exported. `bourre verify` checks this folder.
docs/records.md of bourre explains the files outside of tables/."""

FILES: Mapping[str, str] = {
    "manifest.json": "terms, bots, commitment to the seed and the seed, digest and chain",
    "standings.json": "the final standings; missing until all matches are finished",
    "matches.jsonl": "a line for each finished match, in schedule order: attempt, isolation, result, faults",
    "records/<match>.jsonl": "what happened in it, byte for byte: cards, actions, balances",
    "timings.jsonl": "how long its bots took, in milliseconds; no part of any result",
    "voids.jsonl": "a line for each discarded match: the host failed it, or the organiser voided it",
    "records/<match>.void<attempt>.jsonl": "the record of a voided match",
}
"""What each file outside of tables/ holds."""

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def write_jsonl(run: Run, folder: Path, tables: Collection[str], work: Work) -> None:
    """Write the run into this empty folder: all that can be verified, and these tables in the folder tables/."""
    target = ExportLayout(folder)
    target.records.mkdir()
    target.readme.write_text(readme_text(TITLE, tables, "jsonl", FILES, f"{target.tables.name}/"), "utf-8")
    target.manifest.write_bytes(run.place.manifest_bytes())
    if run.manifest.complete:
        if (standings := run.place.read_standings()) is None:
            raise ContestError(f"{run.place}: standings.json is missing or damaged: restore a copy")
        target.standings.write_text(standings, "utf-8", newline="")
    with target.matches.open("w", encoding="utf-8") as matches, target.timings.open("w", encoding="utf-8") as timings:

        def write_match(match: StoredMatch) -> None:
            target.record(match.match).write_bytes((match.record or "").encode())
            matches.write(_text(MatchLine.of(match)))
            timings.write(_text(TimesLine.of(match)))

        if tables:
            target.tables.mkdir()
            write_tables(run, target.tables, tables, JSONL, work, write_match)
        else:
            for match in stored_matches(run):
                write_match(match)
    _write_voids(run, target)


def json_lines(table: type[Row], rows: Iterable[Row]) -> str:
    """Encode rows as JSON lines: an object for each, whose keys are the columns."""
    names, cells = [column.name for column in columns_of(table)], cell_getter(table)
    return "".join(f"{_encode(dict(zip(names, cells(row), strict=True)))}\n" for row in rows)


@contextmanager
def open_jsonl(path: Path, table: type[Row]) -> Iterator[IO[str]]:
    """Open a new JSON lines file for a table."""
    with path.open("x", encoding="utf-8") as file:
        yield file


JSONL = TableFormat("jsonl", json_lines, open_jsonl)


def _write_voids(run: Run, target: ExportLayout) -> None:
    with target.voids.open("w", encoding="utf-8") as voids:
        for void in run.voids():
            voids.write(_text(VoidLine.of(void)))
            if void.record is not None:
                target.record(void.match, void.attempt).write_bytes(void.record.encode())


def _text(line: Line) -> str:
    return f"{line.model_dump_json()}\n"
