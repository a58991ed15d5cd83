"""Run folders of older versions: read as they are, and migrated to what a new one has."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from bourre_referee.model.errors import StoreError
from bourre_referee.storage.database.sqlite_connection import engine
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.referee import contests, talking_rooms
from tests.referee.in_process import run_in_process
from tests.referee.older_runs import make_older

Version = Literal[2, 3, 4]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("kept")
    return run_in_process(contests.small_contest(place / "contest"), place / "run", talking_rooms.played).path


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "run"))


def migrate(folder: Path) -> None:
    """Opens the run's database to write in it."""
    commitment = Run.open(folder).manifest.seed.commitment
    Store.open(FolderLocation(folder).database, commitment, writing=True).seal()


def rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    with closing(sqlite3.connect(FolderLocation(folder).database)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2, 3').fetchall() for name in names}


def tables(folder: Path) -> dict[str, str]:
    """What each table was created with, without spaces."""
    with closing(sqlite3.connect(FolderLocation(folder).database)) as database:
        created = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {name: re.sub(r"[\s\"]+", "", sql) for name, sql in created}


@pytest.mark.parametrize("version", [2, 3, 4])
def test_an_older_run_is_read_as_it_is(folder: Path, version: Version) -> None:
    whole = Run.open(folder)
    facts, results, records = whole.fact_hashes(), whole.results(), [match.record for match in whole.stored_matches()]
    make_older(folder, version)
    before = FolderLocation(folder).database.read_bytes()
    older = Run.open(folder)
    assert (older.fact_hashes(), older.results()) == (facts, results)
    assert [match.record for match in older.stored_matches()] == records
    assert bool(older.remarks("m0002")) == (version >= 3)
    assert older.voids() == []
    assert verify(source_of(folder), jobs=1).digest == whole.manifest.digest
    assert FolderLocation(folder).database.read_bytes() == before


@pytest.mark.parametrize("version", [2, 3, 4])
def test_an_older_run_becomes_what_a_new_one_is(folder: Path, version: Version) -> None:
    new_rows, new_tables, digest = rows(folder), tables(folder), Run.open(folder).manifest.digest
    make_older(folder, version)
    migrate(folder)
    assert tables(folder) == new_tables
    assert rows(folder) == new_rows | ({"remark": []} if version == 2 else {})
    assert verify(source_of(folder), jobs=1).digest == digest


def test_a_migration_that_fails_changes_nothing(folder: Path) -> None:
    make_older(folder, 3)
    before = rows(folder)
    with closing(engine(FolderLocation(folder).database, "rw").raw_connection()) as connection:
        connection.cursor().execute('CREATE TABLE "old_seat" (a, b, c)')
    with pytest.raises(StoreError, match="there is already another table or index with this name: old_seat"):
        migrate(folder)
    assert rows(folder) == before | {"old_seat": []}
