"""Reads the finished matches of one contest."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Literal, Self

from sqlalchemy import ColumnElement
from sqlmodel import and_, col, select

from bourre.notes import Usage
from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.storage.database.database import Database, reading
from bourre_referee.storage.database.match_reader import (
    ReadMatch,
    fact_hashes,
    find_new,
    read_cells,
    read_matches,
    read_results,
    spans_of,
)
from bourre_referee.storage.database.packed_records import PackedRecord, bots_by_match, packed_records
from bourre_referee.storage.database.record_reader import (
    StoredRecord,
    match_with_record,
    record_hashes,
    stored_record,
    stored_records,
)
from bourre_referee.storage.database.remark_rows import (
    has_usage,
    noted_matches,
    read_remarks,
    remarked_matches,
    usage_by_bot,
)
from bourre_referee.storage.database.row_copy import Rows, all_rows
from bourre_referee.storage.database.run_session import RunSession, check_commitment, contest_row
from bourre_referee.storage.database.schema import ONLY_CONTEST, MatchRow
from bourre_referee.storage.database.sqlite_database import SqliteDatabase
from bourre_referee.storage.database.translation import (
    record_in,
)
from bourre_referee.storage.database.void_rows import attempts, discarded_matches

NO_MATCH_NUMBER = 2**63 - 1
"""Larger than any match number."""


class StoreReader:
    """An open database to read. Reads are in schedule order. Every error is a StoreError with a hint."""

    MODE: ClassVar[Literal["ro", "rw"]] = "ro"
    """How a run folder's database is opened."""

    def __init__(self, database: Database, contest: int = ONLY_CONTEST) -> None:
        self.database = database
        self._contest = contest

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def settle(self) -> None:
        """Makes the changes that were queued while a server was gone, and waits for it."""
        self.database.settle()

    def close(self) -> None:
        """Closes the connections to the database."""
        self.database.engine.dispose()

    @classmethod
    def open(cls, path: Path, commitment: str | None) -> Self:
        """Opens the database of a run folder as `check_opened` does."""
        return cls(SqliteDatabase(path, cls.MODE)).check_opened(commitment)

    @reading
    def check_opened(self, commitment: str | None) -> Self:
        """Checks the commitment of the contest and every cell, and returns the store. If this fails, closes it.

        With None, it checks neither, for callers that do.
        """
        try:
            with self._session() as session:
                self.database.check_opened(session)
                if commitment:
                    check_commitment(session, str(self.database), commitment)
                    self.database.check_cells(session)
        except StoreError:
            self.close()
            raise
        return self

    @contextmanager
    def _session(self) -> Iterator[RunSession]:
        """Opens a session for reading, whose errors are StoreErrors."""
        self.database.settle()
        with self.database.errors_in_words(), RunSession(self.database.engine, self._contest) as session:
            yield session

    def _match(self, match: str) -> ColumnElement[bool]:
        """Returns the condition for the row of this match."""
        return and_(col(MatchRow.contest) == self._contest, col(MatchRow.match) == match)

    def check_contents(self) -> None:
        """Raises DamagedValue for an unknown table, a row of no seat, or a cell of the wrong type."""
        with self._session() as session:
            self.database.check_contents(session)

    def all_rows(self) -> Generator[Rows, None, None]:
        """Yields all rows of the contest's matches from one moment, with a few in memory at a time."""
        with self._session() as session:
            yield from all_rows(session)

    @reading
    def attempts(self) -> dict[str, int]:
        """Returns the number of discarded attempts per match, for matches that have any."""
        with self._session() as session:
            return attempts(session)

    @reading
    def voids(self, commitment: str | None = None) -> list[DiscardedMatch]:
        """Returns every discarded match, in the order of matches and attempts. It checks only their cells."""
        with self._session() as session:
            if commitment:
                check_commitment(session, str(self.database), commitment)
            self.database.check_cells(session, NO_MATCH_NUMBER)
            try:
                return discarded_matches(session)
            except ValueError as error:
                raise DamagedValue(str(self.database), str(error)) from error

    def stored_matches(self) -> Generator[StoredMatch, None, None]:
        """Yields every finished match, unchecked, with a few in memory at a time."""
        with self._session() as session:
            remarked = remarked_matches(session)
            for cells in read_cells(session, records=True):
                try:
                    stored = match_with_record(cells)
                    if cells.number in remarked:
                        stored = replace(stored, remarks=read_remarks(session, cells.number))
                except ValueError as error:
                    raise DamagedValue(str(self.database), str(error), cells.name) from error
                yield stored

    def packed_records(self, numbers: Sequence[int]) -> Generator[PackedRecord, None, None]:
        """Yields the packed records, unchecked, of the finished matches among these, which are in order."""
        with self._session() as session:
            for first, last in spans_of(numbers):
                yield from packed_records(session, first, last)

    def contest(self) -> tuple[str, str]:
        """Returns the name and commitment of the contest that the database claims to belong to."""
        with self._session() as session:
            return contest_row(session, str(self.database))

    @reading
    def record_hashes(self) -> dict[str, bytes]:
        """Returns the SHA-256 of each finished match's record, by match id."""
        with self._session() as session:
            return dict(record_hashes(session))

    @reading
    def results(self) -> list[MatchResult]:
        """Returns the result of every finished match."""
        with self._session() as session:
            try:
                return list(read_results(session))
            except ValueError as error:
                raise DamagedValue(str(self.database), str(error)) from error

    @reading
    def new_matches(self, known: Sequence[int], commitment: str) -> list[ReadMatch] | None:
        """Returns the finished matches whose numbers are not `known`, in order; None if a known one is missing.

        It reads and checks only new matches, so the database may be opened without a commitment.
        """
        with self._session() as session:
            check_commitment(session, str(self.database), commitment)
            numbers = find_new(session, known)
            if not numbers:
                return None if numbers is None else []
            self.database.check_cells(session, numbers[0])
            try:
                return [match for span in spans_of(numbers) for match in read_matches(session, span)]
            except ValueError as error:
                raise DamagedValue(str(self.database), str(error)) from error

    @reading
    def fact_hashes(self, commitment: str) -> dict[int, bytes]:
        """Returns the hash of the facts of every finished match, by its number."""
        with self._session() as session:
            check_commitment(session, str(self.database), commitment)
            return dict(fact_hashes(session))

    def records(self) -> Iterator[str]:
        """Yields every record."""
        with self._session() as session:
            for stored in stored_records(session):
                yield self._unpack(stored)

    def record(self, match: str) -> str | None:
        """Returns the record of one match; None if it is not finished."""
        with self._session() as session:
            stored = stored_record(session, match)
            if stored is None:
                return None
            number = stored.number
            return self._unpack(stored, bots_by_match(session, number, number).get(number, ()))

    def remarks(self, match: str, commitment: str) -> tuple[SeatRemarks, ...]:
        """Returns the notes and usage in one match, by seat; empty if there are none, or the match is not finished.

        It checks only these rows, so the database may be opened without a commitment.
        """
        with self._session() as session:
            check_commitment(session, str(self.database), commitment)
            number = session.exec(select(MatchRow.number).where(self._match(match))).one_or_none()
            try:
                return () if number is None else read_remarks(session, number)
            except ValueError as error:
                raise DamagedValue(str(self.database), str(error), match) from error

    def noted_matches(self, bot: str, commitment: str) -> tuple[str, ...]:
        """Returns the ids of the matches with this bot's notes, in schedule order."""
        with self._session() as session:
            check_commitment(session, str(self.database), commitment)
            return noted_matches(session, bot)

    def usage(self) -> dict[str, Usage]:
        """Returns each bot's reported usage in the finished matches."""
        with self._session() as session:
            return usage_by_bot(session)

    def has_usage(self, commitment: str) -> bool:
        """Returns whether any bot reported usage. The database may be opened without a commitment."""
        with self._session() as session:
            check_commitment(session, str(self.database), commitment)
            return has_usage(session)

    def _unpack(self, stored: StoredRecord, bots: Sequence[str] | None = None) -> str:
        try:
            return record_in(stored.match, stored.packed, bots)
        except ValueError as error:
            raise DamagedValue(str(self.database), str(error)) from error
