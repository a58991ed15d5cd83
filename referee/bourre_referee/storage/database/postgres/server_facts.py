"""Reads the properties of a PostgreSQL server that a referee depends on. It changes nothing."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from time import perf_counter
from typing import Any

import psycopg
from sqlalchemy import Connection

from bourre_referee.storage.database.postgres.database_address import DatabaseAddress
from bourre_referee.storage.database.postgres.postgres_connection import connect, engine
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.postgres.postgres_tables import check_version, find_version
from bourre_referee.storage.database.schema import TABLES

_TRIES = 9

_SETTINGS = (
    "SELECT current_setting('server_version_num')::int, current_setting('server_encoding'), "
    "current_setting('transaction_read_only') = 'on', pg_is_in_recovery(), "
    "current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' "
    "AND current_setting('synchronous_commit') <> 'off', "
    "COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), "
    "inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', "
    "COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false), "
    "current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int, "
    "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'), clock_timestamp()"
)
_RIGHTS = (
    "SELECT bool_and(has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT') "
    "AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')) FROM pg_class "
    "WHERE relkind = 'r' AND relname = ANY(%s) "
    "AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
)


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The properties of a server and a database, as this user sees them."""

    version: int
    """As the server counts: 150004 is 15.4."""
    encoding: str
    read_only: bool
    standby: bool
    durable: bool
    """Whether a confirmed change survives a crash of the server's machine."""
    encrypted: bool
    local: bool
    """Whether the server is on this machine."""
    may_create: bool
    """Whether the user may make tables."""
    most_connections: int
    connections: int
    may_change: bool
    """Whether the user may change the tables that are there."""
    clock_ahead_s: float
    """The seconds by which the server's clock is ahead of this machine's."""
    answer_s: float
    """The median time of an answer, in seconds."""
    same_session: bool
    """Whether a connection stays in one session of the server, unlike with a pooler that shares them."""
    tables: str
    """The state of the tables: `current`, `older` or `none`."""


def read_facts(address: DatabaseAddress) -> ServerFacts:
    """Reads the facts. Raises StoreError if the server cannot be used at all."""
    with errors_in_words(address), closing(connect(address, writing=True)) as connection:
        connection.autocommit = True
        *settings, clock = _row(connection, _SETTINGS)
        ahead = (clock - datetime.now(UTC)).total_seconds()
        (may_change,) = _row(connection, _RIGHTS, [table.name for table in TABLES])
        answers = [_time(connection) for _ in range(_TRIES)]
        same = len({_row(connection, "SELECT pg_backend_pid()") for _ in range(_TRIES)}) == 1
        facts = [*settings, may_change is not False, ahead, median(answers), same, _tables(address)]
        return ServerFacts(*facts)


def _row(connection: psycopg.Connection, asked: str, *values: object) -> tuple[Any, ...]:
    return connection.execute(asked.encode(), values or None).fetchone() or ()


def _time(connection: psycopg.Connection) -> float:
    began = perf_counter()
    connection.execute("SELECT 1")
    return perf_counter() - began


def _tables(address: DatabaseAddress) -> str:
    made = engine(address, writing=True)
    try:
        with made.connect() as connection:
            return _state(connection, address)
    finally:
        made.dispose()


def _state(connection: Connection, address: DatabaseAddress) -> str:
    return check_version(find_version(connection, address), address, writing=True)
