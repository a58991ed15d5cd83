"""Databases of every kind, for tests of what a store does in all of them."""

import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import psycopg

from bourre_referee.storage.database.postgres.database_address import ContestAddress, DatabaseAddress
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.run.database_location import DatabaseLocation
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run_location import RunLocation

SEED = "ab" * 32


class Stored(Protocol):
    """A contest that is stored, in a database of some kind."""

    @property
    def place(self) -> RunLocation:
        """Where it is stored."""

    def create(self) -> Store:
        """Creates its store."""

    def open(self, commitment: str | None = SEED) -> StoreReader:
        """Opens its store again, to read."""

    def open_to_write(self) -> Store:
        """Opens its store again, to write."""

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Runs SQL behind the store's back: `:contest` is the contest's id."""


@dataclass
class InSqlite:
    """A run folder."""

    folder: Path

    @property
    def place(self) -> FolderLocation:
        return FolderLocation(self.folder)

    def create(self) -> Store:
        self.folder.mkdir()
        return self.place.create_store("small", SEED)

    def open(self, commitment: str | None = SEED) -> StoreReader:
        return self.place.open_store(commitment)

    def open_to_write(self) -> Store:
        return self.place.open_to_write(SEED)

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.place.database)) as connection, connection:
            return connection.execute(statement.replace(":contest", "1"), values).fetchall()


@dataclass
class InPostgres:
    """A contest of its own in a database that others share."""

    url: str
    held: ExitStack
    name: str = field(default_factory=lambda: f"small {uuid4().hex}")

    @property
    def place(self) -> DatabaseLocation:
        return DatabaseLocation(ContestAddress(DatabaseAddress(self.url), self.name))

    def create(self) -> Store:
        self.place.make()
        self.led = self.held.enter_context(self.place.hold())
        return self.led.create_store(self.name, SEED)

    def open(self, commitment: str | None = SEED) -> StoreReader:
        return self.place.open_store(commitment)

    def open_to_write(self) -> Store:
        return self.led.open_to_write(SEED)

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        contest = f"(SELECT id FROM contest WHERE name = '{self.name}')"
        with psycopg.connect(self.url) as connection:
            query = statement.replace("?", "%s").replace(":contest", contest)
            cursor = connection.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description else []
