"""Connects to PostgreSQL."""

from __future__ import annotations

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import QueuePool

from bourre_referee.storage.database.postgres.database_address import DatabaseAddress

DEFAULTS = {
    "application_name": "bourre",
    "connect_timeout": "10",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""The defaults of a connection. With them, a network that drops all packets is noticed in 10 s."""


SILENT_S = 5.0
"""The seconds of silence after which the server ends a transaction or session, so no stopped process keeps a lock."""


def engine(address: DatabaseAddress, writing: bool) -> Engine:
    """Connects to this database when first used.

    A reading session sees a snapshot. A writing session sees committed data, because one process leads a contest.
    """
    return create_engine(
        "postgresql+psycopg://", creator=lambda: connect(address, writing), poolclass=QueuePool, pool_pre_ping=True
    )


def connect(address: DatabaseAddress, writing: bool) -> psycopg.Connection:
    """Opens a connection; raises psycopg.Error."""
    options = DEFAULTS | conninfo_to_dict(address.url)
    connection = psycopg.connect(make_conninfo("", **options), client_encoding="utf8")
    if writing:
        _end_silent_transactions(connection)
    else:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
    return connection


def end_when_silent(connection: psycopg.Connection) -> None:
    """Lets the server end this session, and with it its locks, after `SILENT_S` without a sign of life."""
    connection.execute(f"SET idle_session_timeout = {SILENT_S * 1000:.0f}")


def _end_silent_transactions(connection: psycopg.Connection) -> None:
    connection.autocommit = True
    connection.execute(f"SET idle_in_transaction_session_timeout = {SILENT_S * 1000:.0f}")
    connection.autocommit = False
