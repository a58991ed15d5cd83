"""Run folders of older versions are read as they are and migrated; what bots said is stored with their match."""

import json
import re
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import uuid4

import pytest
from sqlalchemy import Engine, inspect, text

from bourre.notes import Usage
from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.model.seat_remarks import Note
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.database import migration, sqlite_connection
from bourre_referee.storage.database.migration import migrate as run_migrations
from bourre_referee.storage.database.migration import revisions
from bourre_referee.storage.database.postgres import postgres_connection
from bourre_referee.storage.database.postgres.database_address import parse_database
from bourre_referee.storage.database.schema import VERSION
from bourre_referee.storage.database.sqlite_connection import engine
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.postgres_server import PostgresServer
from tests.referee import contests, talking_rooms
from tests.referee.in_process import rooms_in_process, run_in_process
from tests.referee.older_runs import make_older
from tests.referee.tampering import Tamperer

Version = Literal[2, 3, 4]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return talking_rooms.run_to_the_end(tmp_path_factory.mktemp("kept"))


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "run"))


def migrate(folder: Path) -> None:
    """Opens the run's database to write in it."""
    commitment = Run.open(folder).manifest.seed.commitment
    Store.open(FolderLocation(folder).database, commitment).seal()


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
    assert bool(older.remarks("m0002")) == bool(older.usage()) == (version >= 3)
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


REVISION = """
from alembic import op
from sqlalchemy import Column, Integer

revision = {name!r}
down_revision = {before!r}

def upgrade():
    with op.batch_alter_table("thing") as batch:
        batch.add_column(Column("made_by_{name}", Integer))
"""


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """Migrations to versions 2, 3 and 4, each of which adds a column."""
    (tmp_path / "migrations").mkdir()
    for name, before in (("0002", None), ("0003", "0002"), ("0004", "0003")):
        text = REVISION.format(name=name, before=before)
        (tmp_path / "migrations" / f"v{name}.py").write_text(text)
    return tmp_path / "migrations"


@pytest.fixture(params=["sqlite", "postgres"])
def connected(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        made = sqlite_connection.engine(tmp_path / "thing.db", "rwc")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        made = postgres_connection.engine(
            parse_database(server.create_database(f"migrated_{uuid4().hex}")), writing=True
        )
    yield made
    made.dispose()


def test_only_later_migrations_run(connected: Engine, migrations: Path) -> None:
    with connected.begin() as connection:
        connection.execute(text("CREATE TABLE thing (number INTEGER)"))
        connection.execute(text("INSERT INTO thing VALUES (7)"))
        run_migrations(connection, 2, migrations)
    with connected.begin() as connection:
        columns = [column["name"] for column in inspect(connection).get_columns("thing")]
        assert columns == ["number", "made_by_0003", "made_by_0004"]
        assert connection.execute(text("SELECT number FROM thing")).all() == [(7,)]
        run_migrations(connection, 4, migrations)


def test_the_last_migration_leads_to_the_version_of_the_tables() -> None:
    assert revisions().get_current_head() == migration.revision_of(VERSION)


def test_what_was_said_is_read_back_and_usage_is_added_up_by_bot(folder: Path) -> None:
    there = Run.open(folder)
    polite, hostile, silent = there.remarks("m0002")
    assert polite.notes == (Note(1, None, 1, talking_rooms.PLAIN), Note(2, None, 2, talking_rooms.PLAIN))
    assert (polite.usage, polite.dropped) == (Usage(1000, 50, 2, 2_500_000), 3)
    assert (hostile.notes[0].text, hostile.usage) == (talking_rooms.HOSTILE, None)
    assert not silent
    assert [match.remarks for match in there.stored_matches()] == [there.remarks(match) for match in there.matches()]
    assert there.remarks("m9999") == ()
    first = [match.seats[0].bot for match in there.stored_matches()]
    one = Usage(1000, 50, 2, 2_500_000)
    for bot, usage in there.usage().items():
        assert usage == sum([one] * first.count(bot), Usage())
    assert set(there.usage()) == set(first)


def test_what_was_said_changes_no_digest(folder: Path, tmp_path: Path) -> None:
    silent = run_in_process(contests.small_contest(tmp_path / "contest"), tmp_path / "silent")
    aloud = Run.open(folder)
    assert (aloud.manifest.digest, aloud.manifest.chain) == (silent.manifest.digest, silent.manifest.chain)
    assert aloud.fact_hashes() == silent.fact_hashes()
    assert FolderLocation(folder).standings.read_text() == FolderLocation(tmp_path / "silent").standings.read_text()
    assert silent.usage() == {}


def test_a_void_match_leaves_nothing_that_was_said(folder: Path) -> None:
    void(folder, "m0003", "smoke", datetime(2026, 1, 2, tzinfo=UTC))
    assert Tamperer(folder).execute("SELECT number FROM remark WHERE number = 3") == []
    assert Run.open(folder).remarks("m0003") == ()
    assert Tamperer(folder).execute("SELECT count(*) FROM remark") == [(18,)]


def test_a_run_of_an_older_version_can_be_continued(folder: Path, tmp_path: Path) -> None:
    whole = Run.open(folder).manifest.digest
    make_older(folder, 2)
    void(folder, "m0003", "smoke", datetime(2026, 1, 2, tzinfo=UTC))
    with rooms_in_process(talking_rooms.played):
        there = run(contests.small_contest(tmp_path / "contest"), folder)
    assert there.manifest.digest == whole
    assert there.remarks("m0003")
    assert there.remarks("m0002") == ()
    assert Tamperer(folder).execute("PRAGMA user_version") == [(5,)]


def test_a_run_of_a_newer_version_is_refused_in_words(folder: Path) -> None:
    Tamperer(folder).execute("PRAGMA user_version = 6")
    with pytest.raises(StoreError, match=r"a newer version .* \(database version 6, this one reads 2 to 5\)"):
        Run.open(folder).results()


NOTES = [
    b"no zlib",
    zlib.compress(b"[[1, null, 1]]"),
    zlib.compress(b'[["1", null, 1, "text"]]'),
    zlib.compress(b'[[1, "2", 1, "text"]]'),
    zlib.compress(b'["four"]'),
    zlib.compress(b"[" * 100_000),
    zlib.compress(b" " * 2**25),
    zlib.compress(b"[]")[:-1],
]


@pytest.mark.parametrize("notes", NOTES)
def test_notes_that_no_run_stores_are_refused_in_words(folder: Path, notes: bytes) -> None:
    with closing(sqlite3.connect(FolderLocation(folder).database)) as connection, connection:
        connection.execute("UPDATE remark SET notes = ? WHERE number = 2 AND seat = 0", [notes])
    there = Run.open(folder)
    with pytest.raises(DamagedValue, match=r"match m0002: the notes of seat 0 are damaged \("):
        there.remarks("m0002")
    assert there.remarks("m0001")


def test_stored_text_is_cut_and_made_whole_like_a_bots(folder: Path) -> None:
    notes = zlib.compress(json.dumps([[1, None, 1, "\ud800" + "x" * 5000]]).encode())
    with closing(sqlite3.connect(FolderLocation(folder).database)) as connection, connection:
        connection.execute("UPDATE remark SET notes = ? WHERE number = 2 AND seat = 0", [notes])
    assert Run.open(folder).remarks("m0002")[0].notes[0].text == "?" + "x" * 2047


@pytest.mark.parametrize("calls", ["many", -1, 1.5])
def test_usage_that_no_run_stores_is_refused_in_words(folder: Path, calls: object) -> None:
    Tamperer(folder).execute("UPDATE remark SET calls = ? WHERE number = 2", calls)
    with pytest.raises(DamagedValue, match="match m0002: what the bot of seat 0 used must be whole numbers from 0 up"):
        Run.open(folder).remarks("m0002")
