"""Reads the records of all finished matches, for checks and exports, and damaged records as far as possible."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select
from sqlmodel import col

from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.database.match_reader import Cells, stored_match
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import MatchRow
from bourre_referee.storage.files.bounded_zlib import Damaged, Unpacking


def match_rows(session: RunSession) -> Iterator[MatchRow]:
    """Yields every match in schedule order, one at a time."""
    query = select(MatchRow).where(col(MatchRow.contest) == session.contest).order_by(col(MatchRow.number))
    rows = session.execute(query, execution_options={"yield_per": 1})
    yield from rows.scalars()


def match_with_record(cells: Cells) -> StoredMatch:
    """Makes a match of its rows, including its record. Raises ValueError for a corrupt value."""
    return stored_match(cells, Unpacking(), record_if_readable(cells.match[-1], Unpacking()))


def record_if_readable(packed: bytes, unpacking: Unpacking) -> str | None:
    """Unpacks a stored record; None if it is too damaged to read. Raises ValueError if no run could have stored it."""
    try:
        return unpacking.unpack(packed).decode()
    except (Damaged, UnicodeDecodeError):
        return None
    except ValueError as error:
        raise ValueError(f"no run stores such a record ({error})") from error
