"""Stores the finished matches of one contest; those that finish together are written in one transaction."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from sqlalchemy import Engine, text
from sqlmodel import Session, col, select

from bourre.remarks import Usage
from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.storage.database_checks import (
    AFTER_ALL,
    check_cells,
    check_commitment,
    check_contents,
    check_kind,
    check_new_cells,
    check_pages,
    check_tables,
    contest_row,
)
from bourre_referee.storage.match_reader import (
    ReadMatch,
    fact_hashes,
    find_new,
    read_cells,
    read_matches,
    read_results,
    spans_of,
)
from bourre_referee.storage.older_database import upgrade
from bourre_referee.storage.packed_records import PackedRecord, packed_records
from bourre_referee.storage.record_reader import match_rows, match_with_record
from bourre_referee.storage.remark_rows import noted_matches, read_remarks, remark_rows, remarked_matches, usage_by_bot
from bourre_referee.storage.schema import VERSION, ContestRow, MatchRow, Row
from bourre_referee.storage.sqlite_connection import MARK, engine, errors_in_words, seal
from bourre_referee.storage.stored_rows import (
    add_lost,
    attempts,
    discarded_matches,
    void_match,
)
from bourre_referee.storage.translation import (
    fault_rows,
    match_row,
    record_in,
    renege_rows,
    seat_rows,
)


class Finished(NamedTuple):
    """A finished match."""

    number: int
    """The match's number in the schedule, starting at 1."""
    attempt: int
    """The attempt's number, starting at 1."""
    outcome: MatchOutcome


class Store:
    """An open database. Everything is read in schedule order; every error is a StoreError with a hint."""

    def __init__(self, path: Path, engine: Engine) -> None:
        self._path = path
        self._engine = engine

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def seal(self) -> None:
        """Closes it for good as a single file, which can be read even from a read-only folder."""
        self.close()
        seal(self._path)

    def close(self) -> None:
        """Closes the connections to the file."""
        self._engine.dispose()

    @classmethod
    def create(cls, path: Path, name: str, commitment: str) -> Store:
        """Creates a database for the contest of this name and seed atomically, and opens it."""
        making = path.with_name(f"{path.name}.new")
        making.unlink(missing_ok=True)
        with errors_in_words(path), cls(path, engine(making, "rwc")) as made:
            Row.metadata.create_all(made._engine)
            with Session(made._engine) as session:
                session.add(ContestRow(name=name, commitment=commitment))
                session.execute(text(f"PRAGMA application_id = {MARK}"))
                session.execute(text(f"PRAGMA user_version = {VERSION}"))
                session.commit()
        making.replace(path)
        return cls.open(path, commitment, writing=True)

    @classmethod
    def open(cls, path: Path, commitment: str | None, writing: bool = False) -> Store:
        """Opens the database of the contest with this commitment; None accepts any, for callers that compare it."""
        store = cls(path, engine(path, "rw" if writing else "ro"))
        try:
            with errors_in_words(path), Session(store._engine) as session:
                check_kind(session, path)
                if writing:
                    upgrade(session)
                check_tables(session, path)
                if writing:
                    check_pages(session, path)
                if commitment:
                    check_cells(session, path)
                    check_commitment(session, path, commitment)
        except StoreError:
            store.close()
            raise
        return store

    def check_contents(self) -> None:
        """Raises DamagedValue for an unknown table, a row of no seat, or a cell of the wrong type."""
        with errors_in_words(self._path), Session(self._engine) as session:
            check_contents(session, self._path)

    def add(self, *finished: Finished) -> None:
        """Stores all of these matches, such as those of one room, or none."""
        with errors_in_words(self._path), Session(self._engine) as session:
            session.add_all(match_row(*match) for match in finished)
            session.flush()  # the other rows refer to their match
            for number, _, outcome in finished:
                for rows in (seat_rows, renege_rows, fault_rows, remark_rows):
                    session.add_all(rows(number, outcome))
            session.commit()

    def void(self, discarded: DiscardedMatch) -> None:
        """Makes a finished match void in one transaction, with its record."""
        with errors_in_words(self._path), Session(self._engine) as session:
            void_match(session, discarded)
            session.commit()

    def add_lost(self, matches: Iterable[str], reason: str, at: str, revealed: bool) -> None:
        """Stores that the host failed these matches before they finished."""
        with errors_in_words(self._path), Session(self._engine) as session:
            add_lost(session, matches, reason, at, revealed)
            session.commit()

    def attempts(self) -> dict[str, int]:
        """Returns the number of discarded attempts per match; matches without any are left out."""
        with errors_in_words(self._path), Session(self._engine) as session:
            return attempts(session)

    def voids(self, commitment: str | None = None) -> list[DiscardedMatch]:
        """Returns every discarded match, in the order of matches and attempts; only their cells are checked."""
        with errors_in_words(self._path), Session(self._engine) as session:
            if commitment:
                check_commitment(session, self._path, commitment)
            check_new_cells(session, self._path, AFTER_ALL)
            try:
                return discarded_matches(session)
            except ValueError as error:
                raise DamagedValue(self._path, str(error)) from error

    def stored_matches(self) -> Generator[StoredMatch, None, None]:
        """Yields every finished match as stored, unchecked, with a few in memory at a time."""
        with errors_in_words(self._path), Session(self._engine) as session:
            remarked = remarked_matches(session)
            for cells in read_cells(session, records=True):
                try:
                    stored = match_with_record(cells)
                    if cells.number in remarked:
                        stored = replace(stored, remarks=read_remarks(session, cells.number))
                except ValueError as error:
                    raise DamagedValue(self._path, str(error), cells.name) from error
                yield stored

    def packed_records(self, numbers: Sequence[int]) -> Generator[PackedRecord, None, None]:
        """Yields the records of the finished matches among these as stored, unchecked; the numbers are in order."""
        with errors_in_words(self._path), Session(self._engine) as session:
            for first, last in spans_of(numbers):
                yield from packed_records(session, first, last)

    def contest(self) -> tuple[str, str]:
        """Returns the name and commitment of the contest that the database claims to belong to."""
        with errors_in_words(self._path), Session(self._engine) as session:
            return contest_row(session, self._path)

    def record_hashes(self) -> dict[str, bytes]:
        """Returns the SHA-256 of each finished match's record, by match id."""
        with errors_in_words(self._path), Session(self._engine) as session:
            rows = session.exec(select(MatchRow.match, MatchRow.sha256).order_by(col(MatchRow.number)))
            return {match: bytes(record_hash) for match, record_hash in rows}

    def results(self) -> list[MatchResult]:
        """Returns the result of every finished match."""
        with errors_in_words(self._path), Session(self._engine) as session:
            try:
                return list(read_results(session))
            except ValueError as error:
                raise DamagedValue(self._path, str(error)) from error

    def new_matches(self, known: Sequence[int], commitment: str) -> list[ReadMatch] | None:
        """Returns the finished matches whose numbers are not `known`, in order; None if a known one is missing.

        Only what is new is read and checked, so the database may be opened without a commitment.
        """
        with errors_in_words(self._path), Session(self._engine) as session:
            check_commitment(session, self._path, commitment)
            numbers = find_new(session, known)
            if not numbers:
                return None if numbers is None else []
            check_new_cells(session, self._path, numbers[0])
            try:
                return [match for span in spans_of(numbers) for match in read_matches(session, span)]
            except ValueError as error:
                raise DamagedValue(self._path, str(error)) from error

    def fact_hashes(self, commitment: str) -> dict[int, bytes]:
        """Returns the hash of the facts of every finished match, by its number."""
        with errors_in_words(self._path), Session(self._engine) as session:
            check_commitment(session, self._path, commitment)
            return dict(fact_hashes(session))

    def records(self) -> Iterator[str]:
        """Yields every record."""
        with errors_in_words(self._path), Session(self._engine) as session:
            for row in match_rows(session):
                yield self._unpack(row)

    def record(self, match: str) -> str | None:
        """Returns the record of one match; None if it is not finished."""
        with errors_in_words(self._path), Session(self._engine) as session:
            row = session.exec(select(MatchRow).where(MatchRow.match == match)).one_or_none()
            return self._unpack(row) if row else None

    def remarks(self, match: str, commitment: str) -> tuple[SeatRemarks, ...]:
        """Returns what the bots said in one match, by seat; nothing if they were silent, or it is not finished.

        Only what is read is checked, so the database may be opened without a commitment.
        """
        with errors_in_words(self._path), Session(self._engine) as session:
            check_commitment(session, self._path, commitment)
            number = session.exec(select(MatchRow.number).where(MatchRow.match == match)).one_or_none()
            try:
                return () if number is None else read_remarks(session, number)
            except ValueError as error:
                raise DamagedValue(self._path, str(error), match) from error

    def noted_matches(self, bot: str, commitment: str) -> tuple[str, ...]:
        """Returns the ids of the matches in which this bot said something, in schedule order."""
        with errors_in_words(self._path), Session(self._engine) as session:
            check_commitment(session, self._path, commitment)
            return noted_matches(session, bot)

    def usage(self) -> dict[str, Usage]:
        """Returns what the finished matches cost each bot that said so."""
        with errors_in_words(self._path), Session(self._engine) as session:
            return usage_by_bot(session)

    def _unpack(self, row: MatchRow) -> str:
        try:
            return record_in(row)
        except ValueError as error:
            raise DamagedValue(self._path, str(error)) from error
