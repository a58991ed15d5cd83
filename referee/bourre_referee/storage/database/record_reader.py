"""Reads the records of all finished matches, for checks and exports, and damaged records as far as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre_referee.model.packed_text import PackedText
from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.database.match_reader import Cells, stored_match
from bourre_referee.storage.database.run_session import RunSession, select
from bourre_referee.storage.files.bounded_zlib import Damaged, Unpacking

_HASHES = "SELECT match, sha256 FROM match WHERE contest = ? ORDER BY number"
_RECORDS = "SELECT number, match, record, sha256 FROM match WHERE contest = ?"


class StoredRecord(NamedTuple):
    """The record of a match as stored."""

    number: int
    """The match's number in schedule order, starting at 1."""
    match: str
    packed: PackedText


def stored_records(session: RunSession) -> Iterator[StoredRecord]:
    """Yields the record of every match in schedule order, with one in memory at a time."""
    for number, match, content, record_hash in select(session, f"{_RECORDS} ORDER BY number", (session.contest,)):
        yield StoredRecord(number, match, PackedText(content, record_hash))


def stored_record(session: RunSession, match: str) -> StoredRecord | None:
    """Returns the record of one match; None if it is not finished."""
    for number, name, content, record_hash in select(session, f"{_RECORDS} AND match = ?", (session.contest, match)):
        return StoredRecord(number, name, PackedText(content, record_hash))
    return None


def record_hashes(session: RunSession) -> Iterator[tuple[str, bytes]]:
    """Yields the id of every finished match, and the hash of its record, in schedule order."""
    for match, record_hash in select(session, _HASHES, (session.contest,)):
        yield match, bytes(record_hash)


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
