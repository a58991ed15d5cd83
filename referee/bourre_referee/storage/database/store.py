"""Stores the finished matches of one contest. A room's matches are written in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlmodel import select

from bourre_referee.model.errors import StoreError
from bourre_referee.model.results import DealResult
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.model.stored import DiscardedMatch
from bourre_referee.storage.database.remark_rows import remark_cells
from bourre_referee.storage.database.row_copy import Rows, replace_rows
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import FaultRow, MatchRow, RemarkRow, RenegeRow, SeatRow, table_of
from bourre_referee.storage.database.sqlite_database import create_database
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.database.translation import (
    blocks_in,
    fault_cells,
    match_cells,
    packed_blocks,
    renege_cells,
    seat_cells,
)
from bourre_referee.storage.database.void_rows import add_lost, attempts, void_match
from bourre_referee.storage.files.bounded_zlib import Unpacking

_OF_SEATS = (
    (table_of(SeatRow), seat_cells),
    (table_of(RenegeRow), renege_cells),
    (table_of(FaultRow), fault_cells),
    (table_of(RemarkRow), remark_cells),
)
"""The tables with rows of a match's seats."""


class Finished(NamedTuple):
    """A finished match."""

    number: int
    """The match's number in the schedule, starting at 1."""
    attempt: int
    """The attempt's number, starting at 1."""
    outcome: MatchOutcome


class Store(StoreReader):
    """An open database to read and write."""

    MODE = "rw"

    @classmethod
    def create(cls, path: Path, name: str, commitment: str) -> Store:
        """Creates a run folder's database for the contest of this name and seed atomically, and opens it."""
        create_database(path, name, commitment)
        return cls.open(path, commitment)

    def seal(self) -> None:
        """Closes it, so that it can be read even from a read-only folder."""
        self.close()
        self.database.seal()

    def add(self, *finished: Finished) -> None:
        """Stores these matches, such as those of a room, all or none."""

        def work(session: RunSession) -> None:
            if self.database.is_shared:
                self._check_attempts(session, finished)
            session.insert(table_of(MatchRow), (match_cells(*match) for match in finished))
            for table, cells in _OF_SEATS:
                session.insert(table, (row for match in finished for row in cells(match.number, match.outcome)))

        self.database.change(self._contest, work)

    def _check_attempts(self, session: RunSession, finished: Iterable[Finished]) -> None:
        discarded = attempts(session)
        for _, attempt, outcome in finished:
            match = outcome.result.match
            if attempt != (due := discarded.get(match, 0) + 1):
                text = f"attempt {attempt} at {match} comes too late, as attempt {due} is due: it is not stored"
                raise StoreError(f"{self.database}: {text}.\nhint: run again")

    def set_luck(self, match: str, lucks: Sequence[tuple[int, ...]]) -> None:
        """Stores the luck of each deal of a finished match, which was unknown until now."""

        def work(session: RunSession) -> None:
            row = session.exec(select(MatchRow).where(self._match(match))).one()
            blocks = blocks_in(row.blocks, Unpacking())
            row.blocks = packed_blocks(DealResult(block.chips, luck) for block, luck in zip(blocks, lucks, strict=True))

        self.database.change(self._contest, work)

    def void(self, discarded: DiscardedMatch) -> None:
        """Discards a finished match, with its record, in one transaction."""
        self.database.change(self._contest, lambda session: void_match(session, discarded))

    def add_lost(self, matches: Iterable[str], reason: str, at: str, revealed: bool) -> None:
        """Stores failed attempts at these matches."""
        lost = tuple(matches)
        self.database.change(self._contest, lambda session: add_lost(session, lost, reason, at, revealed))

    def replace_rows(self, read: Callable[[], Iterable[Rows]]) -> None:
        """Replaces the contest's rows with these in one transaction."""
        self.database.change(self._contest, lambda session: replace_rows(session, read()))
