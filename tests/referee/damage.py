"""Random damage to the files of a run folder: to bytes, to JSON values, to columns of the database."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Damage = Callable[[Path], None]
"""Damages the run in this folder."""

FILES = ("manifest.json", "standings.json", "run.db", "seed.secret", "run.lock", "run.scratch")

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.sampled_from(
        [0, 1, -1, 2, 8, 9, 10**9, 0.5, float("nan"), float("inf"), "", "zz", "\x1b[31m", "\ud800", "m0001"]
    )
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


def damages() -> st.SearchStrategy[Damage]:
    """Any of the kinds of damage below."""
    return st.one_of(_of_bytes(), _of_places(), _of_json("manifest.json"), _of_columns())


def _of_bytes() -> st.SearchStrategy[Damage]:
    at = st.floats(0, 1, exclude_max=True)
    return st.one_of(
        st.builds(
            _flipped, st.sampled_from(FILES), st.lists(st.tuples(at, st.integers(1, 255)), min_size=1, max_size=5)
        ),
        st.builds(_cut, st.sampled_from(FILES), at),
        st.builds(_replaced, st.sampled_from(FILES), st.binary(max_size=200)),
        st.builds(_copied, st.sampled_from(FILES), st.sampled_from(FILES)),
    )


def _of_places() -> st.SearchStrategy[Damage]:
    return st.builds(_displaced, st.sampled_from(FILES), st.sampled_from(["gone", "folder", "full folder", "loop"]))


def _of_json(name: str) -> st.SearchStrategy[Damage]:
    return st.builds(_revalued, st.just(name), st.integers(0, 500), JSON | st.just(...))


def _of_columns() -> st.SearchStrategy[Damage]:
    cell = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=20) | st.binary(max_size=40)
    return st.builds(_rewritten, st.integers(0, 200), st.sampled_from([0, 1, -1, "", b"", "m0009", "0"]) | cell)


def _flipped(name: str, flips: list[tuple[float, int]]) -> Damage:
    def damage(folder: Path) -> None:
        data = bytearray(_bytes_of(folder / name))
        for at, bits in flips if data else []:
            data[int(at * len(data))] ^= bits
        (folder / name).write_bytes(data)

    return _named(damage, f"{name} with bytes flipped: {flips}")


def _cut(name: str, at: float) -> Damage:
    def damage(folder: Path) -> None:
        data = _bytes_of(folder / name)
        (folder / name).write_bytes(data[: int(at * len(data))])

    return _named(damage, f"{name} cut at {at}")


def _replaced(name: str, data: bytes) -> Damage:
    return _named(lambda folder: _write(folder / name, data), f"{name} replaced by {data!r}")


def _copied(name: str, other: str) -> Damage:
    return _named(lambda folder: _write(folder / name, _bytes_of(folder / other)), f"{name} replaced by {other}")


def _displaced(name: str, how: str) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / name
        path.unlink(missing_ok=True)
        if how == "loop":
            path.symlink_to(name)
        elif how != "gone":
            path.mkdir()
        if how == "full folder":
            (path / "mine").touch()

    return _named(damage, f"{name}: {how}")


def _revalued(name: str, number: int, value: object) -> Damage:
    def damage(folder: Path) -> None:
        known = json.loads((folder / name).read_text())
        places = list(_places(known))
        inside, key = places[number % len(places)]
        if value is ...:
            del inside[key]
        else:
            inside[key] = value
        (folder / name).write_text(json.dumps(known))

    return _named(damage, f"{name}: value {number} is {value!r}")


def _rewritten(number: int, value: object) -> Damage:
    def damage(folder: Path) -> None:
        with closing(sqlite3.connect(folder / "run.db")) as connection, connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = [
                (table, row[1]) for table in tables for row in connection.execute(f'PRAGMA table_info("{table}")')
            ]
            table, column = columns[number % len(columns)]
            with suppress(sqlite3.IntegrityError):  # the table itself forbids it
                connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ?', (value,))

    return _named(damage, f"run.db: column {number} is {value!r}")


def _named(damage: Damage, name: str) -> Damage:
    damage.__name__ = damage.__qualname__ = name
    return damage


def _places(known: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(known) if isinstance(known, dict) else range(len(known)):
        yield known, key
        if isinstance(known[key], (dict, list)):
            yield from _places(known[key])


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def copied(folder: Path, to: Path) -> Path:
    """A copy of the run in another folder, without the files beside it."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("logs"))
    return to
