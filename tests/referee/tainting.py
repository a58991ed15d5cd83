"""Hostile text in every place of a run that holds text, one at a time; the places are found, not listed."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bourre_referee.storage.database.schema import TABLES
from bourre_referee.text.names import MOST_MARKS
from tests.referee.command import Ended

TEXTS = {
    "a path upwards": "../../outside",
    "an absolute path": "OUTSIDE/outside",
    "an escape sequence": "\x1b[2J\x1b]0;mine\x07",
    "a line break": "one\ntwo\rthree",
    "a zero byte": "one\0two",
    "markup": "<script>alert(1)</script>",
    "a formula": "=cmd|' /C calc'!A0",
    "accents": "a" + "\u0301" * 60,
    "reversed text": "\u202egnp.exe\u2066",
    "very long": "W" * 1_000_000,
    "half a character": "\ud800",
}
"""Hostile texts by what they are; OUTSIDE stands for the absolute path of a folder that must stay empty."""

JSON_FILES = ("manifest.json", "standings.json")
LINES = ("matches.jsonl", "voids.jsonl", "timings.jsonl")
PACKED = {"record": ("match", "number = 1"), "notes": ("remark", "notes IS NOT NULL")}
"""The columns of packed JSON that a taint goes into, with a row of each."""

MOST_SAID = 100_000
UNSAFE = re.compile(f"[\0-\x08\x0b-\x1f\x7f\u202e\u2066\ud800]|[\u0300-\u036f]{{{MOST_MARKS + 1}}}")
"""What controls a terminal, turns text round or covers other lines."""

Keys = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place that holds text."""

    name: str
    put: Callable[[Path, str], None]
    """Puts a text there, in the run or the export in this folder."""


def places_in(folder: Path) -> Iterator[Place]:
    """Yields every place of text in a run: columns, values of JSON files, packed records and notes."""
    for table in TABLES:
        for column in (column.name for column in table.columns if column.type.python_type is str):
            if _rows(folder, f'SELECT 1 FROM "{table.name}"'):
                yield Place(f"{table.name}.{column}", _column(table.name, column))
    for name in JSON_FILES:
        for keys in leaves_of(json.loads((folder / name).read_text())):
            yield Place(f"{name} {_written(keys)}", _in_file(name, keys))
    for column, (name, where) in PACKED.items():
        ((data,),) = _rows(folder, f'SELECT "{column}" FROM "{name}" WHERE {where} LIMIT 1')
        for keys in leaves_of([json.loads(line) for line in zlib.decompress(data).splitlines()]):
            yield Place(f"{name}.{column} {_written(keys)}", _in_packed(name, column, where, keys))


def lines_in(folder: Path) -> Iterator[Place]:
    """Yields every place of text in the lines of an export."""
    for name in LINES:
        for keys in leaves_of(json.loads((folder / name).read_text().splitlines()[0])):
            yield Place(f"{name} {_written(keys)}", _in_line(name, keys))


def events_in(folder: Path) -> Iterator[Place]:
    """Yields every place of text in the log of a ladder, in the first event of each kind, and in its boards."""
    seen: set[str] = set()
    for number, line in enumerate((folder / "ladder.jsonl").read_text().splitlines()):
        name, event = [*json.loads(line).items()][-1]
        if name not in seen:
            seen.add(name)
            for keys in leaves_of(event):
                yield Place(f"{name} {_written(keys)}", _in_log(number, (name, *keys)))
    for file in ("board.json", *(path.name for path in folder.glob("season-*.json"))):
        for keys in leaves_of(json.loads((folder / file).read_text())):
            yield Place(f"{file} {_written(keys)}", _in_file(file, keys))


def leaves_of(value: Any, above: Keys = ()) -> Iterator[Keys]:
    """Yields the way to each text and each null, and to each key; of a list's items that are alike, to the first."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves_of(inner, (*above, key))
    elif isinstance(value, list):
        seen: set[str] = set()
        for number, inner in enumerate(value):
            shape = json.dumps(sorted(inner)) if isinstance(inner, dict) else type(inner).__name__
            if shape not in seen:
                seen.add(shape)
                yield from leaves_of(inner, (*above, number))
    elif value is None or isinstance(value, str):
        yield above


def _written(keys: Keys) -> str:
    return ".".join(map(str, keys))


def _rows(folder: Path, query: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(folder / "run.db")) as database, database:
        return database.execute(query, values).fetchall()


def _column(table: str, column: str) -> Callable[[Path, str], None]:
    def put(folder: Path, text: str) -> None:
        stored = text.encode("utf-8", "surrogatepass")
        keys = _keys(folder, table)
        first = _rows(folder, f'SELECT {", ".join(keys)} FROM "{table}" LIMIT 1')[0]
        where = " AND ".join(f"{key} = ?" for key in keys)
        _rows(folder, f'UPDATE "{table}" SET {column} = CAST(? AS TEXT) WHERE {where}', stored, *first)

    return put


def _keys(folder: Path, table: str) -> list[str]:
    return [str(row[1]) for row in _rows(folder, f'PRAGMA table_info("{table}")') if row[5]]


def _in_file(name: str, keys: Keys) -> Callable[[Path, str], None]:
    def put(folder: Path, text: str) -> None:
        value = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(_replaced(value, keys, text), indent=2))

    return put


def _in_line(name: str, keys: Keys) -> Callable[[Path, str], None]:
    def put(folder: Path, text: str) -> None:
        first, *rest = (folder / name).read_text().splitlines(keepends=True)
        line = json.dumps(_replaced(json.loads(first), keys, text), separators=(",", ":"))
        (folder / name).write_text("".join([f"{line}\n", *rest]))

    return put


def _in_log(number: int, keys: Keys) -> Callable[[Path, str], None]:
    def put(folder: Path, text: str) -> None:
        lines = [json.loads(line) for line in (folder / "ladder.jsonl").read_text().splitlines()]
        _replaced(lines[number], keys, text)
        link, written = "0" * 64, ""
        for line in lines:
            plain = json.dumps({**line, "previous": link}, separators=(",", ":"))
            link = hashlib.sha256(plain.encode()).hexdigest()
            written += f"{plain}\n"
        (folder / "ladder.jsonl").write_text(written)

    return put


def _in_packed(table: str, column: str, where: str, keys: Keys) -> Callable[[Path, str], None]:
    def put(folder: Path, text: str) -> None:
        ((data,),) = _rows(folder, f'SELECT "{column}" FROM "{table}" WHERE {where} LIMIT 1')
        lines = _replaced([json.loads(line) for line in zlib.decompress(data).splitlines()], keys, text)
        ascii_only = "\ud800" in text  # what UTF-8 lacks can only be written as an escape
        plain = "".join(f"{json.dumps(line, separators=(',', ':'), ensure_ascii=ascii_only)}\n" for line in lines)
        packed = plain.encode() if table == "match" else plain.rstrip("\n").encode()
        _rows(folder, f'UPDATE "{table}" SET "{column}" = ? WHERE {where}', zlib.compress(packed))
        if table == "match":
            _rows(folder, f'UPDATE "match" SET sha256 = ? WHERE {where}', hashlib.sha256(packed).digest())

    return put


def _replaced(value: Any, keys: Keys, text: str) -> Any:
    if not keys:
        return text
    key, *rest = keys
    value[key] = _replaced(value[key], tuple(rest), text)
    return value


def check_said(done: Ended, where: str) -> None:
    """Checks what a terminal gets."""
    said = done.out + done.err
    assert "Traceback" not in said, where
    assert len(said) < MOST_SAID, where
    assert not UNSAFE.search(said), f"{where}: {said[:2000]!r}"


def check_page(text: str, where: str) -> None:
    assert "<script>alert" not in text, where
    assert not UNSAFE.search(text), where
