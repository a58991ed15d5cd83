"""Databases of version 2, which have no table for what bots said: read as they are, and upgraded to be written."""

from __future__ import annotations

import sqlite3

from sqlalchemy import text
from sqlmodel import Session

from bourre_referee.storage.schema import VERSION, WITHOUT_REMARKS, RemarkRow, Row

_STAND_IN = f"CREATE TEMP TABLE {RemarkRow.__tablename__} ({', '.join(RemarkRow.model_fields)})"


def add_stand_in(connection: sqlite3.Connection) -> None:
    """Gives a connection to an older database an empty table in memory, in place of the one that the file lacks."""
    if connection.execute("PRAGMA user_version").fetchone() == (WITHOUT_REMARKS,):
        connection.execute(_STAND_IN)


def upgrade(session: Session) -> None:
    """Adds the missing table to an older database, in one transaction; does nothing to any other."""
    if session.scalar(text("PRAGMA user_version")) == WITHOUT_REMARKS:
        Row.metadata.create_all(session.connection())
        session.execute(text(f"PRAGMA user_version = {VERSION}"))
    session.commit()
