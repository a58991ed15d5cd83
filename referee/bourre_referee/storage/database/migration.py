"""Migrates a database from an older version of its tables to the current one, by Alembic's operations."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

FOLDER = Path(__file__).with_name("migrations")


def migrate(connection: Connection, version: int, folder: Path = FOLDER) -> None:
    """Runs the migrations in `folder` after this version, in the connection's transaction.

    The revision that leads to a version of the tables has its number in four digits as its name.
    """
    with Operations.context(MigrationContext.configure(connection)):
        for script in reversed([*revisions(folder).iterate_revisions("head", revision_of(version))]):
            script.module.upgrade()


def revisions(folder: Path = FOLDER) -> ScriptDirectory:
    """Returns the migrations in this folder."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("version_locations", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return ScriptDirectory.from_config(config)


def revision_of(version: int) -> str:
    """Returns the name of the revision that leads to this version of the tables."""
    return f"{version:04d}"
