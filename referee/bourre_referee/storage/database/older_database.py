"""Run folders' databases of older versions. Reading leaves them unchanged; writing migrates them."""

from __future__ import annotations

import sqlite3

from sqlalchemy import text
from sqlmodel import Session

from bourre_referee.storage.database.schema import ONLY_CONTEST, VERSION, FileRow, LineRow, RemarkRow

OLDEST = 2
"""The oldest version that can be read."""
_WITHOUT_REMARKS = 2
_WITHOUT_CONTEST_IDS = (2, 3)
_WITHOUT_LINES = 4


def add_stand_ins(connection: sqlite3.Connection) -> None:
    """Adds missing tables and columns, in memory, to a connection to an older database."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if OLDEST <= version <= _WITHOUT_LINES:
        connection.execute(f"CREATE TEMP TABLE line ({', '.join(LineRow.model_fields)})")
    if version not in _WITHOUT_CONTEST_IDS:
        return
    connection.execute(f"CREATE TEMP TABLE file ({', '.join(FileRow.model_fields)})")
    if version == _WITHOUT_REMARKS:
        connection.execute(f"CREATE TEMP TABLE remark ({', '.join(RemarkRow.model_fields)})")
    connection.execute("CREATE TEMP VIEW contest AS SELECT *, 0 AS leader, 0 AS changes FROM main.contest")
    for table in ("match", "seat", "renege", "fault", "void", *(["remark"] if version != _WITHOUT_REMARKS else [])):
        connection.execute(f"CREATE TEMP VIEW {table} AS SELECT {ONLY_CONTEST} AS contest, * FROM main.{table}")


def upgrade(session: Session) -> None:
    """Migrates an older database in one transaction."""
    version = session.scalar(text("PRAGMA user_version"))
    if version is not None and OLDEST <= version < VERSION:
        from bourre_referee.storage.database.migration import migrate  # only here, because importing Alembic takes long

        migrate(session.connection(), version)
        session.execute(text(f"PRAGMA user_version = {VERSION}"))
    session.commit()
