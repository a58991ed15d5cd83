"""Migrations run in every database, in order, from the version that it has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine, inspect, text

from bourre_referee.storage.database import migration, sqlite_connection
from bourre_referee.storage.database.migration import migrate, revisions
from bourre_referee.storage.database.postgres.database_address import parse_database
from bourre_referee.storage.database.postgres.postgres_connection import engine
from bourre_referee.storage.database.schema import VERSION
from tests.postgres_server import PostgresServer

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
def folder(tmp_path: Path) -> Path:
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
        made = engine(parse_database(server.create_database(f"migrated_{uuid4().hex}")), writing=True)
    yield made
    made.dispose()


def test_only_later_migrations_run(connected: Engine, folder: Path) -> None:
    with connected.begin() as connection:
        connection.execute(text("CREATE TABLE thing (number INTEGER)"))
        connection.execute(text("INSERT INTO thing VALUES (7)"))
        migrate(connection, 2, folder)
    with connected.begin() as connection:
        columns = [column["name"] for column in inspect(connection).get_columns("thing")]
        assert columns == ["number", "made_by_0003", "made_by_0004"]
        assert connection.execute(text("SELECT number FROM thing")).all() == [(7,)]
        migrate(connection, 4, folder)


def test_the_last_migration_leads_to_the_version_of_the_tables() -> None:
    assert revisions().get_current_head() == migration.revision_of(VERSION)
