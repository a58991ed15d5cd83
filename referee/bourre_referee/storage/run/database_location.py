"""A run in a PostgreSQL database. Its files are rows, and only the contest's leader may write."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import and_, col, delete, select

from bourre.rules.deck import master_seed
from bourre_referee.model.errors import RESTORE, ContestError, NoContest
from bourre_referee.storage.database.database import Work
from bourre_referee.storage.database.postgres.contest_rows import (
    Lead,
    check_no_ladder,
    clear_contest,
    enter_contest,
    find_contest,
    set_commitment,
    take_lead,
)
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.postgres.leader_lock import hold_leader_lock
from bourre_referee.storage.database.postgres.outbox import Outbox
from bourre_referee.storage.database.postgres.postgres_connection import engine
from bourre_referee.storage.database.postgres.postgres_database import PostgresDatabase
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.postgres.postgres_tables import check_version, find_version, prepare_tables
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import ContestRow, FileRow
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting, until_back
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.manifest_reader import parse_manifest
from bourre_referee.storage.run.seed_commitment import SEED_BYTES

T = TypeVar("T")

MANIFEST, STANDINGS, SEED = "manifest.json", "standings.json", "seed.secret"


class DatabaseLocation:
    """A contest in a database for reading. `hold` yields one for writing. It can be sent to other processes."""

    def __init__(self, address: ContestAddress, folder: Path | None = None) -> None:
        """`folder` is for data outside of the database: the bots' logs and archived files, and tokens."""
        self.address = address
        self.folder = folder

    def __str__(self) -> str:
        return str(self.address)

    @property
    def manifest(self) -> str:
        """The manifest's name in messages."""
        return f"{self}: {MANIFEST}"

    @property
    def seed(self) -> str:
        """The secret seed's name in messages."""
        return f"{self}: {SEED}"

    @property
    def database(self) -> str:
        """The database's name in messages."""
        return str(self)

    @property
    def database_file(self) -> None:
        """None, because there is no file."""

    def make(self) -> None:
        """Makes or migrates the tables, enters the contest, and makes the folder."""
        if self.folder is not None:
            if FolderLocation(self.folder).has_manifest():
                raise ContestError(f"{self.folder} contains another run.\nhint: set another folder with --out")
            self.folder.mkdir(parents=True, exist_ok=True)
        made = engine(self.address.database, writing=True)
        try:
            with errors_in_words(self), made.begin() as connection:
                prepare_tables(connection, self)
                check_no_ladder(connection, self.address)
                enter_contest(connection, self.address.contest)
        finally:
            made.dispose()

    @contextmanager
    def hold(self, patience: Waiting | None = None) -> Iterator[LedPlace]:
        """Takes the lead, and yields the place for writing. With `patience`, it stands by while another leads."""
        waiting = patience or AT_ONCE
        contest = until_back(waiting, lambda: self._read(_contest))
        writing = engine(self.address.database, writing=True)

        def lead() -> Lead:
            with errors_in_words(self), writing.begin() as connection:
                return take_lead(connection, contest)

        try:
            with hold_leader_lock(self.address, contest, patience):
                outbox = Outbox(writing, self.address, until_back(waiting, lead), waiting, time.monotonic)
                yield LedPlace(self, contest, PostgresDatabase(self.address, writing, outbox), outbox)
        finally:
            writing.dispose()

    def clear(self) -> None:
        """Removes the run, and its files in the folder."""
        if self.folder is not None:
            FolderLocation(self.folder).clear()
        self._change(clear_contest)

    def has_manifest(self) -> bool:
        """Whether the run has begun."""
        try:
            return self._read_file(MANIFEST) is not None
        except NoContest:
            return False

    def read_manifest(self) -> Manifest:
        """Reads the manifest."""
        return parse_manifest(self.manifest_bytes(), self.manifest)

    def manifest_bytes(self) -> bytes:
        """Reads the manifest as it is stored."""
        if (found := self._read_file(MANIFEST)) is None:
            raise ContestError(f"{self}: this contest has not begun.\nhint: run bourre run CONTEST --db ADDRESS")
        return found

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces the manifest."""
        self._write_file(MANIFEST, f"{manifest.model_dump_json(indent=2)}\n".encode())

    def read_standings(self) -> str | None:
        """Reads the final standings as stored; None if there are none, or they are not UTF-8."""
        try:
            found = self._read_file(STANDINGS)
            return None if found is None else found.decode()
        except UnicodeDecodeError:
            return None

    def write_standings(self, text: str) -> None:
        """Replaces the final standings."""
        self._write_file(STANDINGS, text.encode())

    def remove_standings(self) -> None:
        """Removes the final standings."""
        self._change(lambda session: _remove_file(session, STANDINGS), STANDINGS)

    def has_seed(self) -> bool:
        """Whether there is a secret seed."""
        return self._read_file(SEED) is not None

    def draw_seed(self, public: int | None) -> bytes:
        """Returns the bytes of a public seed, or of the secret seed, which it draws if there is none."""
        if public is not None:
            return master_seed(public)
        if not self.has_seed():
            self._write_file(SEED, secrets.token_bytes(SEED_BYTES))
        master = self._read_file(SEED) or b""
        if len(master) != SEED_BYTES:
            raise ContestError(f"{self.seed}, the secret seed, is damaged.\n{RESTORE}")
        return master

    def keep_seed(self, master: bytes) -> None:
        """Stores a secret seed that was drawn elsewhere."""
        self._write_file(SEED, master)

    def remove_seed(self) -> None:
        """Removes the secret seed."""
        self._change(lambda session: _remove_file(session, SEED), SEED)

    def has_store(self) -> bool:
        """Whether the contest's seed was drawn. Its commitment identifies the matches."""
        return self._read(
            lambda session: bool(
                session.exec(select(ContestRow.commitment).where(ContestRow.id == session.contest)).one()
            )
        )

    def open_store(self, commitment: str | None) -> StoreReader:
        """Opens the matches of the contest with this commitment for reading."""
        contest = self._read(_contest)
        reading = engine(self.address.database, writing=False)
        return StoreReader(PostgresDatabase(self.address, reading), contest).check_opened(commitment)

    def open_to_write(self, commitment: str) -> Store:
        """Raises ContestError, because only the leading referee may write."""
        raise self._not_leading()

    def create_store(self, name: str, commitment: str) -> Store:
        """Stores the commitment to the contest's seed, and opens its matches."""
        self._change(lambda session: set_commitment(session, commitment))
        return self.open_to_write(commitment)

    def state(self) -> object:
        """Returns numbers that every change increments, or the problem if they cannot be read."""
        try:
            return self._read(_changes)
        except ContestError as error:
            return str(error)

    def _read(self, work: Callable[[RunSession], T]) -> T:
        """Reads from one moment."""
        reading = engine(self.address.database, writing=False)
        try:
            with errors_in_words(self), RunSession(reading) as session:
                connection = session.connection()
                check_version(find_version(connection, self), self, writing=False)
                session.contest = find_contest(connection, self.address)
                return work(session)
        finally:
            reading.dispose()

    def _change(self, work: Work, replaces: str | None = None) -> None:
        raise self._not_leading()

    def _not_leading(self) -> ContestError:
        return ContestError(f"{self} is open for reading only: only the leading referee may write")

    def _read_file(self, name: str) -> bytes | None:
        return self._read(
            lambda session: session.exec(select(FileRow.content).where(_is_file(session, name))).one_or_none()
        )

    def _write_file(self, name: str, content: bytes) -> None:
        self._change(lambda session: _replace_file(session, name, content), name)


class LedPlace(DatabaseLocation):
    """A contest that this process leads."""

    def __init__(self, place: DatabaseLocation, contest: int, database: PostgresDatabase, outbox: Outbox) -> None:
        super().__init__(place.address, place.folder)
        self._contest = contest
        self._database = database
        self._outbox = outbox

    def open_to_write(self, commitment: str) -> Store:
        """Opens the matches of the contest with this commitment for writing."""
        return Store(self._database, self._contest).check_opened(commitment)

    def _read(self, work: Callable[[RunSession], T]) -> T:
        def once() -> T:
            self._outbox.settle()
            with errors_in_words(self), RunSession(self._database.engine, self._contest) as session:
                return work(session)

        return self._outbox.read(once)

    def _change(self, work: Work, replaces: str | None = None) -> None:
        self._outbox.change(work, replaces)


def _contest(session: RunSession) -> int:
    return session.contest


def _changes(session: RunSession) -> tuple[int, ...]:
    columns = col(ContestRow.leader), col(ContestRow.changes)
    return tuple(session.execute(select(*columns).where(ContestRow.id == session.contest)).one())


def _is_file(session: RunSession, name: str) -> ColumnElement[bool]:
    return and_(col(FileRow.contest) == session.contest, col(FileRow.name) == name)


def _remove_file(session: RunSession, name: str) -> None:
    session.execute(delete(FileRow).where(_is_file(session, name)))


def _replace_file(session: RunSession, name: str, content: bytes) -> None:
    _remove_file(session, name)
    session.add(FileRow(contest=session.contest, name=name, content=content))
